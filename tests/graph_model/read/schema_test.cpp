// SPDX-License-Identifier: Apache-2.0
#include "graph.pb.h"
#include "graph_model/read/schema.h"
#include "run_metadata.pb.h"
#include "saved_model.pb.h"
#include "tests/catch.h"

#include <string>

using namespace lapidary;
namespace pb = google::protobuf;

namespace {

// Texts are declared as bytes in resources/protos, so the two count as one here.
FieldType typeOf(const pb::FieldDescriptor& field)
{
    switch (field.type()) {
    case pb::FieldDescriptor::TYPE_INT32: return FieldType::Int32;
    case pb::FieldDescriptor::TYPE_INT64: return FieldType::Int64;
    case pb::FieldDescriptor::TYPE_UINT32: return FieldType::UInt32;
    case pb::FieldDescriptor::TYPE_UINT64: return FieldType::UInt64;
    case pb::FieldDescriptor::TYPE_SINT64: return FieldType::SInt64;
    case pb::FieldDescriptor::TYPE_BOOL: return FieldType::Bool;
    case pb::FieldDescriptor::TYPE_ENUM: return FieldType::Enum;
    case pb::FieldDescriptor::TYPE_FLOAT: return FieldType::Float;
    case pb::FieldDescriptor::TYPE_DOUBLE: return FieldType::Double;
    case pb::FieldDescriptor::TYPE_MESSAGE: return FieldType::Message;
    default: return FieldType::Bytes;
    }
}

void compareField(const FieldSpec& field, const pb::FieldDescriptor& other)
{
    INFO(other.full_name());
    CHECK(field.name == other.name());
    CHECK((field.type == FieldType::String ? FieldType::Bytes : field.type) == typeOf(other));
    CHECK(field.isRepeated() == other.is_repeated());
    CHECK(field.isOneof() == (other.real_containing_oneof() != nullptr));
    if (field.isRepeated() && field.type != FieldType::Message)
        CHECK(field.isPacked() == other.is_packed());
    if (field.type == FieldType::Message) {
        const std::string package = "lapidary.wire.";
        const std::string name = other.message_type()->full_name().substr(package.size());
        CHECK((name == messageSpec(field.message()).name ||
               "google.protobuf." + name == messageSpec(field.message()).name));
    }
    if (field.type == FieldType::Enum)
        CHECK(findEnumValue(field.enumeration(), other.enum_type()->value(0)->number())->name ==
              other.enum_type()->value(0)->name());
}

} // namespace

TEST_CASE("the schema is the one of resources/protos", "[read]")
{
    const auto* pool = pb::DescriptorPool::generated_pool();
    wire::GraphDef::descriptor();
    wire::SavedModel::descriptor();
    wire::RunMetadata::descriptor();
    for (int i = 0; i < int(MessageId::Count); ++i) {
        const MessageSpec& message = messageSpec(MessageId(i));
        std::string name(message.name);
        if (name == "google.protobuf.Any")
            name = "Any";
        INFO(name);
        const pb::Descriptor* other = pool->FindMessageTypeByName("lapidary.wire." + name);
        REQUIRE(other != nullptr);
        REQUIRE(message.fields.size() == std::size_t(other->field_count()));
        for (const FieldSpec& field : message.fields) {
            const pb::FieldDescriptor* same = other->FindFieldByNumber(field.number);
            REQUIRE(same != nullptr);
            compareField(field, *same);
        }
    }
}

TEST_CASE("enum values are found by name and number", "[read]")
{
    REQUIRE(findEnumValue(EnumId::DataType, "DT_QUINT8") != nullptr);
    CHECK(findEnumValue(EnumId::DataType, "DT_QUINT8")->number == 12);
    CHECK(findEnumValue(EnumId::DataType, 101)->name == "DT_FLOAT_REF");
    CHECK(findEnumValue(EnumId::DataType, "DT_NOTHING") == nullptr);
    CHECK(findEnumValue(EnumId::DataType, 777) == nullptr);
}
