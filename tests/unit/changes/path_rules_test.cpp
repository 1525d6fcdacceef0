#include "changes/path_rules.hpp"

#include <gtest/gtest.h>

namespace pasb {
namespace {

using namespace std::string_literals;

TEST(GlobMatches, StarsStayWithinASegment) {
    EXPECT_TRUE(glob_matches("memory/*.md", "memory/2026-01-01.md"));
    EXPECT_TRUE(glob_matches("memory/*.md", "memory/.md"));
    EXPECT_FALSE(glob_matches("memory/*.md", "memory/old/2026.md"));
    EXPECT_FALSE(glob_matches("*.md", "memory/x.md"));
    EXPECT_TRUE(glob_matches("a?c", "abc"));
    EXPECT_FALSE(glob_matches("a?c", "a/c"));
    EXPECT_FALSE(glob_matches("a?c", "ac"));
}

TEST(GlobMatches, DoubleStarCrossesSegments) {
    EXPECT_TRUE(glob_matches("skills/**/SKILL.md", "skills/SKILL.md"));
    EXPECT_TRUE(glob_matches("skills/**/SKILL.md", "skills/a/b/SKILL.md"));
    EXPECT_FALSE(glob_matches("skills/**/SKILL.md", "skills/a/b/SKILL.md/x"));
    EXPECT_TRUE(glob_matches("**/x", "x"));
    EXPECT_TRUE(glob_matches("**", "a/b"));
    EXPECT_TRUE(glob_matches("a/**/b/**/c", "a/b/b/x/c"));
}

TEST(GlobMatches, TrailingDoubleStarMeansBelowNotItself) {
    EXPECT_TRUE(glob_matches("a/**", "a/b"));
    EXPECT_TRUE(glob_matches("a/**", "a/b/c"));
    EXPECT_FALSE(glob_matches("a/**", "a"));
    EXPECT_FALSE(glob_matches("a/**", "ab/c"));
}

TEST(GlobMatches, IsCaseSensitiveAndByteExact) {
    EXPECT_FALSE(glob_matches("USER.md", "user.md"));
    EXPECT_TRUE(glob_matches("notes/*", "notes/\xff\xfe.md"));
    EXPECT_TRUE(glob_matches("notes/?\xfe.md", "notes/\xff\xfe.md"));
    EXPECT_TRUE(glob_matches("notes/*.md", "notes/a\nb.md"));
    EXPECT_FALSE(glob_matches("[ab]", "a"));
    EXPECT_TRUE(glob_matches("[ab]", "[ab]"));
}

TEST(GlobMatches, ManyStarsDoNotExplode) {
    const std::string name(2000, 'a');
    std::string glob;
    for (int i = 0; i < 200; ++i) {
        glob += "a*";
    }
    EXPECT_FALSE(glob_matches(glob + "b", name));
    std::string deep = "a";
    std::string deep_glob = "**";
    for (int i = 0; i < 300; ++i) {
        deep += "/a";
        deep_glob += "/a/**";
    }
    EXPECT_FALSE(glob_matches(deep_glob + "/b", deep));
}

TEST(Classify, FirstMatchWins) {
    const std::vector<PathRule> rules{
        {"mem/USER.md", PathKind::user}, {"mem/**", PathKind::memory}, {"**", PathKind::cache}};
    EXPECT_EQ(classify("mem/USER.md", rules, "/home/agent"), PathKind::user);
    EXPECT_EQ(classify("mem/x", rules, "/home/agent"), PathKind::memory);
    EXPECT_EQ(classify("x", rules, "/home/agent"), PathKind::cache);
    EXPECT_EQ(classify("x", std::span(rules).first(2), "/home/agent"), PathKind::unknown);
}

TEST(Classify, RelativeRulesHoldBelowHomeOnly) {
    const std::vector<PathRule> rules{{"tmp/**", PathKind::temp}, {"/var/**", PathKind::log}, {"**", PathKind::cache}};
    EXPECT_EQ(classify("/home/agent/tmp/x", rules, "/home/agent/"), PathKind::temp);
    EXPECT_EQ(classify("/tmp/x", rules, "/home/agent"), PathKind::unknown);
    EXPECT_EQ(classify("/home/agent2/x", rules, "/home/agent"), PathKind::unknown);
    EXPECT_EQ(classify("/var/log/x", rules, "/home/agent"), PathKind::log);
}

TEST(Classify, AbsoluteRulesSeeHomeToo) {
    const std::vector<PathRule> rules{{"/home/agent/x", PathKind::config}};
    EXPECT_EQ(classify("x", rules, "/home/agent"), PathKind::config);
    EXPECT_EQ(classify("/home/agent/x", rules, "/home/agent"), PathKind::config);
}

}  // namespace
}  // namespace pasb
