// SPDX-License-Identifier: Apache-2.0
// Optimizers: two steps of each, with the same bits as in TensorFlow 1.15.5.
#include "tests/catch.h"
#include "tests/runner/kernels/small_graph.h"

namespace lapidary {
namespace {

template <class T>
std::vector<T> spread(std::int64_t first)
{
    std::vector<T> numbers;
    for (std::int64_t i = first; i < first + 5; ++i)
        numbers.push_back(T(float(i * 7919 % 1009 - 504) / 97.0F));
    return numbers;
}

// Makes the op's variables, as references or handles, each with an Assign.
template <class T>
class Training {
public:
    Training(std::string op, std::vector<std::string> slots, bool nesterov)
        : m_isResource(op.starts_with("Resource"))
        , m_slots(std::move(slots))
        , m_attrs{{"T", attr::fromType(dtypeOf<T>())}, {"use_nesterov", attr::fromBool(nesterov)}}
        , m_op(std::move(op))
    {
        m_graph.input("value", dtypeOf<T>());
        const NodeAttrs form{{"dtype", attr::fromType(dtypeOf<T>())},
                             {"shape", attr::fromShape({{5}, false})}};
        for (const std::string& slot : m_slots) {
            m_graph.node(slot, m_isResource ? "VarHandleOp" : "VariableV2", {}, form);
            m_graph.node("set_" + slot, m_isResource ? "AssignVariableOp" : "Assign",
                         {slot, "value"},
                         {{m_isResource ? "dtype" : "T", attr::fromType(dtypeOf<T>())}});
            m_graph.node("read_" + slot, m_isResource ? "ReadVariableOp" : "Identity", {slot},
                         {{m_isResource ? "dtype" : "T", attr::fromType(dtypeOf<T>())}});
        }
    }

    // Makes the inputs that follow the variables, in order; each is fed.
    void step(const std::vector<std::pair<std::string, Value>>& inputs)
    {
        if (!m_isBuilt) {
            std::vector<std::string> names = m_slots;
            for (const auto& [name, value] : inputs) {
                m_graph.input(name, value.dtype());
                names.push_back(name);
            }
            m_graph.node("step", m_op, names, m_attrs);
            m_isBuilt = true;
            set(m_slots.front(), spread<T>(3));
            for (std::size_t i = 1; i < m_slots.size(); ++i)
                set(m_slots[i], std::vector<T>(5, T(0.0F)));
        }
        CHECK(m_graph.fault("step", inputs) == "");
    }

    void set(const std::string& slot, const std::vector<T>& numbers)
    {
        CHECK(m_graph.fault("set_" + slot, {{"value", valueOf<T>({5}, numbers)}}) == "");
    }

    std::vector<double> of(const std::string& slot)
    {
        const auto value = m_graph.run("read_" + slot);
        REQUIRE(value.ok());
        std::vector<double> numbers;
        for (const T element : value->template as<T>())
            numbers.push_back(double(wide(element)));
        return numbers;
    }

    SmallGraph& graph() { return m_graph; }

private:
    bool m_isResource;
    bool m_isBuilt = false;
    std::vector<std::string> m_slots;
    NodeAttrs m_attrs;
    std::string m_op;
    SmallGraph m_graph;
};

template <class T>
std::vector<std::pair<std::string, Value>> adamInputs()
{
    const auto number = [](float x) { return scalarOf(T(x)); };
    return {{"beta1_power", number(0.81F)},
            {"beta2_power", number(0.998F)},
            {"lr", number(0.05F)},
            {"beta1", number(0.9F)},
            {"beta2", number(0.999F)},
            {"epsilon", number(1e-3F)},
            {"grad", valueOf<T>({5}, spread<T>(40))}};
}

template <class T>
std::vector<std::pair<std::string, Value>> momentumInputs()
{
    return {{"lr", scalarOf(T(0.05F))},
            {"grad", valueOf<T>({5}, spread<T>(40))},
            {"momentum", scalarOf(T(0.9F))}};
}

template <class T>
void expectSteps(const std::string& op, bool nesterov,
                 const std::vector<std::pair<std::string, std::vector<double>>>& expected)
{
    INFO(op << (nesterov ? " nesterov " : " ") << dtypeName(dtypeOf<T>()));
    std::vector<std::string> slots;
    for (const auto& [slot, numbers] : expected)
        slots.push_back(slot);
    Training<T> training(op, slots, nesterov);
    for (int i = 0; i < 2; ++i)
        training.step(slots.size() == 3 ? adamInputs<T>() : momentumInputs<T>());
    for (const auto& [slot, numbers] : expected)
        CHECK(training.of(slot) == numbers);
}

} // namespace

TEST_CASE("Adam steps as in TensorFlow", "[kernels][state]")
{
    for (const char* op : {"ApplyAdam", "ResourceApplyAdam"}) {
        expectSteps<float>(
            op, false,
            {{"v", {0x1.8ccd68p-2, -0x1.30865ap+0, -0x1.620c44p+1, -0x1.0b8accp+2, 0x1.29ca48p+2}},
             {"m", {0x1.b8446cp-1, 0x1.1ed35cp-1, 0x1.0ac494p-2, -0x1.40ec7cp-5, -0x1.5affb4p-2}},
             {"s", {0x1.4f6a48p-5, 0x1.1cb7f4p-6, 0x1.ec948ap-9, 0x1.64700cp-14, 0x1.a0b64p-8}}});
        expectSteps<float>(
            op, true,
            {{"v", {0x1.550438p-2, -0x1.3e6cfp+0, -0x1.68ec82p+1, -0x1.0873dap+2, 0x1.2d3e8p+2}},
             {"m", {0x1.b8446cp-1, 0x1.1ed35cp-1, 0x1.0ac494p-2, -0x1.40ec7cp-5, -0x1.5affb4p-2}},
             {"s", {0x1.4f6a48p-5, 0x1.1cb7f4p-6, 0x1.ec948ap-9, 0x1.64700cp-14, 0x1.a0b64p-8}}});
        expectSteps<Half>(op, false,
                          {{"v", {0x1.8c8p-2, -0x1.30cp+0, -0x1.62p+1, -0x1.0b8p+2, 0x1.29cp+2}},
                           {"m", {0x1.b8cp-1, 0x1.1fp-1, 0x1.0bp-2, -0x1.414p-5, -0x1.5b4p-2}},
                           {"s", {0x1.48p-5, 0x1.16p-6, 0x1.e1p-9, 0x1.5cp-14, 0x1.96cp-8}}});
        expectSteps<Half>(op, true,
                          {{"v", {0x1.54cp-2, -0x1.3ecp+0, -0x1.68cp+1, -0x1.088p+2, 0x1.2d4p+2}},
                           {"m", {0x1.b8cp-1, 0x1.1fp-1, 0x1.0bp-2, -0x1.414p-5, -0x1.5b4p-2}},
                           {"s", {0x1.48p-5, 0x1.16p-6, 0x1.e1p-9, 0x1.5cp-14, 0x1.96cp-8}}});
    }
}

TEST_CASE("momentum steps as in TensorFlow", "[kernels][state]")
{
    for (const char* op : {"ApplyMomentum", "ResourceApplyMomentum"}) {
        expectSteps<float>(
            op, false,
            {{"v", {-0x1.74c1cep-3, -0x1.87d69ep+0, -0x1.708a8p+1, -0x1.0e94dap+2, 0x1.34d6fp+2}},
             {"m", {0x1.132acp+3, 0x1.66883p+2, 0x1.4d75b4p+1, -0x1.912796p-2, -0x1.b1bf9cp+1}}});
        expectSteps<float>(
            op, true,
            {{"v", {-0x1.234f3cp-1, -0x1.c85fc6p+0, -0x1.7f8bf4p+1, -0x1.0d7404p+2, 0x1.3e9954p+2}},
             {"m", {0x1.132acp+3, 0x1.66883p+2, 0x1.4d75b4p+1, -0x1.912796p-2, -0x1.b1bf9cp+1}}});
        expectSteps<Half>(op, false,
                          {{"v", {-0x1.75p-3, -0x1.88p+0, -0x1.708p+1, -0x1.0e8p+2, 0x1.34cp+2}},
                           {"m", {0x1.134p+3, 0x1.668p+2, 0x1.4d8p+1, -0x1.91p-2, -0x1.b18p+1}}});
        expectSteps<Half>(op, true,
                          {{"v", {-0x1.238p-1, -0x1.c88p+0, -0x1.7f8p+1, -0x1.0d8p+2, 0x1.3e8p+2}},
                           {"m", {0x1.134p+3, 0x1.668p+2, 0x1.4d8p+1, -0x1.91p-2, -0x1.b18p+1}}});
    }
}

TEST_CASE("the momentum of Keras steps as in TensorFlow", "[kernels][state]")
{
    for (const char* op : {"ResourceApplyKerasMomentum"}) {
        expectSteps<float>(
            op, false,
            {{"v", {-0x1.74c1d2p-3, -0x1.87d69ep+0, -0x1.708a82p+1, -0x1.0e94dap+2, 0x1.34d6fp+2}},
             {"m", {-0x1.b84468p-2, -0x1.1ed358p-2, -0x1.0ac492p-3, 0x1.40ec78p-6, 0x1.5affbp-3}}});
        expectSteps<float>(
            op, true,
            {{"v", {-0x1.234f3cp-1, -0x1.c85fc4p+0, -0x1.7f8bf6p+1, -0x1.0d7404p+2, 0x1.3e9954p+2}},
             {"m", {-0x1.b84468p-2, -0x1.1ed358p-2, -0x1.0ac492p-3, 0x1.40ec78p-6, 0x1.5affbp-3}}});
        expectSteps<Half>(op, false,
                          {{"v", {-0x1.75p-3, -0x1.88p+0, -0x1.708p+1, -0x1.0e8p+2, 0x1.34cp+2}},
                           {"m", {-0x1.b84p-2, -0x1.1fp-2, -0x1.0acp-3, 0x1.41p-6, 0x1.5acp-3}}});
        expectSteps<Half>(op, true,
                          {{"v", {-0x1.238p-1, -0x1.c88p+0, -0x1.7f8p+1, -0x1.0d8p+2, 0x1.3e8p+2}},
                           {"m", {-0x1.b84p-2, -0x1.1fp-2, -0x1.0acp-3, 0x1.41p-6, 0x1.5acp-3}}});
    }
}

TEST_CASE("optimizers refuse what does not fit, and change nothing", "[kernels][state]")
{
    for (const bool isAdam : {true, false}) {
        Training<float> training(isAdam ? "ApplyAdam" : "ApplyMomentum",
                                 isAdam ? std::vector<std::string>{"v", "m", "s"}
                                        : std::vector<std::string>{"v", "m"},
                                 false);
        const auto inputs = isAdam ? adamInputs<float>() : momentumInputs<float>();
        training.step(inputs);
        const auto before = training.of("v");
        const auto sums = training.of("m");
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            auto wrong = inputs;
            wrong[i].second = valueOf<float>({4}, {1});
            INFO(inputs[i].first);
            CHECK(training.graph().fault("step", wrong).starts_with("step: "));
            CHECK(training.of("v") == before);
            CHECK(training.of("m") == sums);
        }
    }
}

} // namespace lapidary
