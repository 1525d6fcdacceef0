#include "changes/diff.hpp"

#include <gtest/gtest.h>

#include "changes/printable.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using namespace std::string_literals;

FileEntry file(std::string path, std::string content, std::uint32_t mode = 0644) {
    FileEntry entry;
    entry.path = std::move(path);
    entry.mode = mode;
    entry.size = content.size();
    entry.sha256 = sha256_hex(content);
    entry.content = std::move(content);
    entry.content_kept = true;
    return entry;
}

FileEntry directory(std::string path, std::uint32_t mode = 0755) {
    FileEntry entry;
    entry.path = std::move(path);
    entry.type = FileType::directory;
    entry.mode = mode;
    return entry;
}

FileEntry link(std::string path, std::string target) {
    FileEntry entry = file(std::move(path), target, 0777);
    entry.type = FileType::symlink;
    entry.link_target = std::move(target);
    return entry;
}

Snapshot snapshot(const std::vector<FileEntry>& entries) {
    Snapshot result;
    for (const FileEntry& entry : entries) {
        result[entry.path] = entry;
    }
    return result;
}

const std::vector<PathRule> rules{{"USER.md", PathKind::user}, {"skills/**", PathKind::skill}};

// "added USER.md", "renamed a <- b": short enough to compare whole lists.
std::vector<std::string> changes(const std::vector<FileEntry>& before, const std::vector<FileEntry>& after) {
    std::vector<std::string> lines;
    for (const Change& change : diff(manifest_of(snapshot(before), rules, "/h"), snapshot(after), rules, "/h")) {
        lines.push_back(std::string(to_string(change.change)) + ' ' + change.path +
                        (change.renamed_from.empty() ? "" : " <- " + change.renamed_from));
    }
    return lines;
}

using Lines = std::vector<std::string>;

TEST(Diff, NothingChanged) {
    const std::vector<FileEntry> same{directory("d"), file("d/a", "1"), link("l", "d/a")};
    EXPECT_EQ(changes(same, same), Lines{});
}

TEST(Diff, ContentModeTypeAndLinkTarget) {
    EXPECT_EQ(changes({file("a", "1")}, {file("a", "2")}), Lines{"modified a"});
    EXPECT_EQ(changes({file("a", "1")}, {file("a", "1", 0755)}), Lines{"modified a"});
    EXPECT_EQ(changes({link("a", "b")}, {link("a", "c")}), Lines{"modified a"});
    EXPECT_EQ(changes({file("a", "b")}, {link("a", "b")}), Lines{"modified a"});
    EXPECT_EQ(changes({directory("d", 0755), file("d/a", "1")}, {directory("d", 0700), file("d/a", "1")}),
              Lines{"modified d"});
}

TEST(Diff, SortedByBytesWithKindAndDigest) {
    const Manifest baseline = manifest_of(snapshot({file("z", "1")}), rules, "/h");
    const std::vector<Change> found =
        diff(baseline, snapshot({file("skills/x/SKILL.md", "s"), file("USER.md", "u")}), rules, "/h");
    ASSERT_EQ(found.size(), 3U);
    EXPECT_EQ(found[0].path, "USER.md");
    EXPECT_EQ(found[0].kind, PathKind::user);
    EXPECT_EQ(found[0].sha256, sha256_hex("u"));
    EXPECT_EQ(found[0].size, 1U);
    EXPECT_EQ(found[1].kind, PathKind::skill);
    EXPECT_EQ(found[2].change, ChangeType::deleted);
    EXPECT_EQ(found[2].sha256, "");
    EXPECT_EQ(found[2].kind, PathKind::unknown);
}

TEST(Diff, DirectoriesSpeakThroughWhatTheyHold) {
    EXPECT_EQ(changes({}, {directory("d"), file("d/a", "1")}), Lines{"added d/a"});
    EXPECT_EQ(changes({}, {directory("d"), directory("d/e")}), Lines{"added d/e"});
    EXPECT_EQ(changes({}, {directory("d"), file("d-e", "1")}), (Lines{"added d", "added d-e"}));
    EXPECT_EQ(changes({directory("d"), file("d/a", "1")}, {}), Lines{"deleted d/a"});
    EXPECT_EQ(changes({directory("d")}, {}), Lines{"deleted d"});
}

TEST(Diff, DirectoryThatBecomesAFile) {
    EXPECT_EQ(changes({directory("d"), file("d/a", "1")}, {file("d", "2")}), (Lines{"modified d", "deleted d/a"}));
}

TEST(Diff, Renames) {
    EXPECT_EQ(changes({file("a", "1")}, {file("b", "1")}), Lines{"renamed b <- a"});
    EXPECT_EQ(changes({file("a", "1")}, {file("a", "1"), file("b", "1")}), Lines{"added b"}) << "a copy is no renaming";
    EXPECT_EQ(changes({file("a", "")}, {file("b", "")}), (Lines{"deleted a", "added b"}))
        << "empty files are all alike";
    EXPECT_EQ(changes({link("a", "1")}, {file("b", "1")}), (Lines{"deleted a", "added b"}));
    EXPECT_EQ(changes({file("a", "1")}, {link("b", "1")}), (Lines{"deleted a", "added b"}));
}

TEST(Diff, RenamesOfEqualFilesPairByNameThenOrder) {
    EXPECT_EQ(changes({file("a/x", "1"), file("a/y", "1")}, {file("b/y", "1"), file("b/z", "1")}),
              (Lines{"renamed b/y <- a/y", "renamed b/z <- a/x"}));
    EXPECT_EQ(changes({file("a", "1")}, {file("b", "1"), file("c", "1")}), (Lines{"renamed b <- a", "added c"}));
}

TEST(Diff, OddNamesAreBytes) {
    const std::string odd = "n\xff\n\x1b[31m\"'\\"s;
    EXPECT_EQ(changes({}, {file(odd, "1")}), Lines{"added " + odd});
    EXPECT_EQ(changes({file("caf\xc3\xa9", "1")}, {file("cafe\xcc\x81", "2")}),
              (Lines{"added cafe\xcc\x81", "deleted caf\xc3\xa9"}))
        << "no Unicode normalisation of paths";
}

TEST(ManifestDifference, ReadsLikeAReport) {
    const Manifest expected =
        manifest_of(snapshot({file("a", "1"), file("b", "1"), file("c\n", "1", 0600)}), rules, "/h");
    const Manifest actual =
        manifest_of(snapshot({file("a", "2", 0755), file("c\n", "1", 0600), file("d", "")}), rules, "/h");
    EXPECT_EQ(manifest_difference(expected, actual),
              (Lines{"modified: a: mode 0644 -> 0755, sha256 6b86b273ff34 -> d4735e3a265e",
                     "missing: b: file, mode 0644, sha256 6b86b273ff34",
                     "unexpected: d: file, mode 0644, sha256 e3b0c44298fc"}));
    EXPECT_EQ(manifest_difference(expected, expected), Lines{});
    EXPECT_NE(manifest_difference(expected, {}).back().find("missing: c\\x0a"), std::string::npos);
}

TEST(Printable, IsReversibleUtf8OnOneLine) {
    EXPECT_EQ(printable("caf\xc3\xa9 \"x\" \xe4\xbd\xa0"), "caf\xc3\xa9 \"x\" \xe4\xbd\xa0");
    EXPECT_EQ(printable("a\nb\x1b\xff\\"), "a\\x0ab\\x1b\\xff\\x5c");
    EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae") << "a right-to-left override would forge the line";
    EXPECT_NE(printable("\\xff"), printable("\xff"));
}

}  // namespace
}  // namespace pasb
