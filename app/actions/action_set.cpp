// SPDX-License-Identifier: Apache-2.0
#include "app/actions/action_set.h"

#include "app/actions/conditions.h"
#include "app/window/base/themed_icon.h"

#include <QKeySequence>
#include <QMenu>
#include <QMenuBar>

#include <algorithm>
#include <string>

namespace lapidary {

using namespace Qt::Literals::StringLiterals;

namespace {

QString text(std::string_view bytes)
{
    return QString::fromUtf8(bytes.data(), qsizetype(bytes.size()));
}

// Returns a label such as "View: expand all", which distinguishes actions of different menus;
// submenus are named if the label alone would not be enough.
QString paletteLabel(const ActionSpec& spec)
{
    const QString menu = text(spec.menu);
    const qsizetype slash = menu.indexOf(u'/');
    if (slash < 0)
        return text(spec.label);
    const QString group = menu.mid(slash + 1);
    return group == u"Walk" || group == u"Copy interface" ? text(spec.label)
           : group == u"Panels" ? u"Show panel: "_s + text(spec.label).toLower()
                                : group + u": "_s + text(spec.label).toLower();
}

// Returns the label and key, with the help of an action or the reason why it is disabled.
QString toolTip(const ActionSpec& spec, const QString& obstacle)
{
    return text(spec.label) + (spec.key.empty() ? QString() : u" ("_s + keyText(spec) + u")"_s) +
           u"\n"_s + (obstacle.isEmpty() ? text(spec.help) : obstacle);
}

QString obstacleOf(const ActionSpec& spec, const ActionContext& context)
{
    if (spec.isEnabled == nullptr || spec.isEnabled(context))
        return {};
    if (const QString why = pictureObstacle(context); !why.isEmpty())
        return why;
    if (const QString why = spec.obstacle != nullptr ? spec.obstacle(context) : QString();
        !why.isEmpty())
        return why;
    return text(spec.needs);
}

} // namespace

QString keyText(const ActionSpec& spec)
{
    return QKeySequence(text(spec.key), QKeySequence::PortableText)
        .toString(QKeySequence::NativeText);
}

ActionSet::ActionSet(ActionTables tables, FindContext context, QWidget* window)
    : QObject(window)
    , m_context(std::move(context))
{
    for (const std::span<const ActionSpec> table : tables)
        for (const ActionSpec& spec : table)
            m_specs.push_back(&spec);
    for (const ActionSpec* one : m_specs) {
        const ActionSpec& spec = *one;
        auto* action = new QAction(text(spec.label), this);
        action->setObjectName(text(spec.id));
        action->setStatusTip(text(spec.help));
        action->setToolTip(toolTip(spec, {}));
        action->setCheckable(spec.isChecked != nullptr);
        action->setMenuRole(QAction::NoRole);
        if (!spec.key.empty() && spec.scope != KeyScope::CanvasOwn)
            action->setShortcut(QKeySequence(text(spec.key), QKeySequence::PortableText));
        action->setShortcutContext(spec.scope == KeyScope::Window ? Qt::WindowShortcut
                                                                  : Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, [this, id = spec.id] {
            run(id);
            refresh(); // resets a check mark if the command had no effect
        });
        if (spec.scope == KeyScope::Window)
            window->addAction(action);
        m_actions.insert(text(spec.id), action);
    }
}

QAction* ActionSet::action(std::string_view id) const
{
    return m_actions.value(text(id));
}

const ActionSpec* ActionSet::find(std::string_view id) const
{
    // Scripts for an earlier version have the British spelling.
    constexpr std::string_view formerPrefix = "view.colour";
    std::string current(id);
    if (id.starts_with(formerPrefix))
        current.replace(0, formerPrefix.size(), "view.color");
    const auto found = std::ranges::find(m_specs, current, &ActionSpec::id);
    return found == m_specs.end() ? nullptr : *found;
}

bool ActionSet::isEnabled(std::string_view id) const
{
    const ActionSpec* spec = find(id);
    return spec != nullptr && (spec->isEnabled == nullptr || spec->isEnabled(m_context()));
}

QString ActionSet::obstacle(std::string_view id) const
{
    const ActionSpec* spec = find(id);
    return spec == nullptr ? QString() : obstacleOf(*spec, m_context());
}

const ActionSpec* ActionSet::findKey(const QKeySequence& key) const
{
    const auto found = std::ranges::find_if(m_specs, [&](const ActionSpec* spec) {
        return !spec->key.empty() &&
               QKeySequence(text(spec->key), QKeySequence::PortableText) == key;
    });
    return found == m_specs.end() ? nullptr : *found;
}

bool ActionSet::run(std::string_view id)
{
    const ActionSpec* spec = find(id);
    if (spec == nullptr)
        return false;
    if (!isEnabled(id)) {
        emit refused(text(spec->label).remove(QChar(0x2026)) + u": "_s + obstacle(id));
        return false;
    }
    spec->run(m_context());
    return true;
}

QMenu* ActionSet::menuFor(QMenuBar* bar, const QString& path)
{
    if (QMenu* known = m_menus.value(path))
        return known;
    const qsizetype slash = path.lastIndexOf(u'/');
    QMenu* menu = slash < 0 ? bar->addMenu(u'&' + path)
                            : menuFor(bar, path.left(slash))->addMenu(path.mid(slash + 1));
    menu->setObjectName(u"menu "_s + path);
    connect(menu, &QMenu::aboutToShow, this, &ActionSet::refresh);
    m_menus.insert(path, menu);
    return menu;
}

void ActionSet::fillMenuBar(QMenuBar* bar)
{
    for (const ActionSpec* one : m_specs) {
        const ActionSpec& spec = *one;
        if (spec.menu.empty())
            continue;
        QMenu* menu = menuFor(bar, text(spec.menu));
        if (spec.startsGroup)
            menu->addSeparator();
        menu->addAction(action(spec.id));
        // The key is shown, but the canvas itself reacts to it.
        if (spec.scope == KeyScope::CanvasOwn)
            action(spec.id)->setText(text(spec.label) + u'\t' + keyText(spec));
    }
}

void ActionSet::addCanvas(QWidget* canvas) const
{
    for (const ActionSpec* spec : m_specs)
        if (spec->scope == KeyScope::Canvas)
            canvas->addAction(action(spec->id));
}

void ActionSet::refresh()
{
    const ActionContext context = m_context();
    for (const ActionSpec* one : m_specs) {
        const ActionSpec& spec = *one;
        QAction* a = action(spec.id);
        a->setEnabled(spec.isEnabled == nullptr || spec.isEnabled(context));
        if (spec.isEnabled != nullptr) {
            const QString why = obstacleOf(spec, context);
            a->setToolTip(toolTip(spec, why));
            a->setStatusTip(why.isEmpty() ? text(spec.help) : why);
        }
        if (spec.isChecked != nullptr)
            a->setChecked(spec.isChecked(context));
    }
}

void ActionSet::setTheme(const Theme& theme) const
{
    for (const ActionSpec* spec : m_specs)
        if (!spec->icon.empty())
            action(spec->id)->setIcon(themedIcon(text(spec->icon), theme));
}

std::vector<PaletteEntry> ActionSet::paletteEntries() const
{
    std::vector<PaletteEntry> entries;
    for (const ActionSpec* spec : m_specs)
        entries.push_back({text(spec->id), paletteLabel(*spec), keyText(*spec), text(spec->help),
                           obstacle(spec->id)});
    return entries;
}

QMenu* ActionSet::menu(const QString& path) const
{
    return m_menus.value(path);
}

} // namespace lapidary
