#include "changes/engine_changes.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

std::vector<std::string> paths(const std::vector<Change>& changes) {
    std::vector<std::string> result;
    for (const Change& change : changes) {
        result.push_back(change.path);
    }
    return result;
}

using Paths = std::vector<std::string>;

TEST(OutsideHome, DropsHomeParentsAndWhatTheEngineMakes) {
    const std::vector<PathRule> rules{{"/var/log/**", PathKind::log}};
    const std::vector<EngineChange> listed{
        {"/home", ChangeType::modified},
        {"/home/agent", ChangeType::modified},
        {"/home/agent/USER.md", ChangeType::added},
        {"/etc", ChangeType::modified},
        {"/etc/hosts", ChangeType::modified},
        {"/etc/evil", ChangeType::added},
        {"/var", ChangeType::modified},
        {"/var/log", ChangeType::modified},
        {"/var/log/x", ChangeType::added},
        {"/home/agent2/x", ChangeType::added},
        {"/etc/evil", ChangeType::added},
        {"/opt/gone", ChangeType::deleted},
        {"/run/.containerenv", ChangeType::added},
    };
    const OutsideChanges outside = outside_home(listed, rules, "/home/agent/");
    EXPECT_EQ(paths(outside.other), Paths{"/var/log/x"});
    EXPECT_EQ(outside.other[0].kind, PathKind::log);
    EXPECT_EQ(paths(outside.unclassified), (Paths{"/etc/evil", "/home/agent2/x", "/opt/gone"}));
    EXPECT_EQ(outside.unclassified[2].change, ChangeType::deleted);
}

TEST(OutsideHome, ADeletedDirectoryIsReportedEvenWithAChild) {
    // Podman lists a directory that was removed and made anew as deleted, and its new children as added.
    const std::vector<EngineChange> listed{{"/opt/d", ChangeType::deleted}, {"/opt/d/new", ChangeType::added}};
    EXPECT_EQ(paths(outside_home(listed, {}, "/home/agent").unclassified), (Paths{"/opt/d", "/opt/d/new"}));
}

TEST(OutsideHome, RelativeRulesDoNotReachOutside) {
    const std::vector<PathRule> rules{{"**", PathKind::cache}};
    const std::vector<EngineChange> listed{{"/opt/x", ChangeType::added}};
    EXPECT_EQ(paths(outside_home(listed, rules, "/home/agent").unclassified), Paths{"/opt/x"});
}

}  // namespace
}  // namespace pasb
