#include "wire/archive.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <optional>
#include <stdexcept>

#include "model/errors.hpp"
#include "tar_bytes.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using testing::pax_header;
using testing::tar_end;
using testing::tar_file;
using testing::tar_header;

std::optional<EngineError::Kind> refusal(const std::string& tar, std::string_view folder = "agent") {
    try {
        read_snapshot(tar, folder);
        return std::nullopt;
    } catch (const EngineError& error) {
        return error.kind();
    }
}

TEST(ReadSnapshot, TakesNamesBelowTheFolder) {
    const std::string tar = tar_header("agent/", '5', 0) + tar_file("agent/notes/USER.md", "likes tea") +
                            tar_file("./agent/x", "y", 0100755) + tar_end();
    const ArchiveContent content = read_snapshot(tar, "agent");
    ASSERT_EQ(content.files.size(), 2U);
    const FileEntry& note = content.files.at("notes/USER.md");
    EXPECT_EQ(note.type, FileType::regular);
    EXPECT_EQ(note.content, "likes tea");
    EXPECT_TRUE(note.content_kept);
    EXPECT_EQ(note.size, 9U);
    EXPECT_EQ(note.sha256, sha256_hex("likes tea"));
    EXPECT_EQ(note.mode, 0644U);
    EXPECT_EQ(content.files.at("x").mode, 0755U) << "Docker leaves the type bits in the mode";
    EXPECT_FALSE(content.truncated);
}

TEST(ReadSnapshot, WithoutAFolderKeepsWholeNames) {
    const std::string tar = tar_header("./", '5', 0) + tar_file("./agent/x", "y") + tar_end();
    EXPECT_TRUE(read_snapshot(tar, "").files.contains("agent/x"));
}

TEST(ReadSnapshot, KeepsEveryByteOfAName) {
    const std::string decomposed = "agent/cafe\xCC\x81";
    const std::string not_utf8 = "agent/raw\xFF\xE9\n\x1B[31m";
    const std::string deep = "agent/" + std::string(300, 'd') + "/" + std::string(200, 'n');
    std::string tar;
    for (const std::string& name : {decomposed, not_utf8, deep}) {
        tar += pax_header("path", name) + tar_file("agent/short", "z");
    }
    tar += tar_file("agent/ustar\xE9", "z") + tar_end();
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* locale : {"C", "C.UTF-8"}) {
        ASSERT_NE(std::setlocale(LC_ALL, locale), nullptr);
        const Snapshot files = read_snapshot(tar, "agent").files;
        EXPECT_EQ(files.size(), 4U) << locale;
        EXPECT_TRUE(files.contains(decomposed.substr(6))) << locale;
        EXPECT_TRUE(files.contains(not_utf8.substr(6))) << locale;
        EXPECT_TRUE(files.contains(deep.substr(6))) << locale;
        EXPECT_TRUE(files.contains("ustar\xE9")) << locale;
    }
    std::setlocale(LC_ALL, before.c_str());
}

TEST(ReadSnapshot, KnowsLinksAndSpecialFiles) {
    const std::string tar = tar_file("agent/a", "same") + tar_header("agent/b", '1', 0, "agent/a") +
                            tar_header("agent/s", '2', 0, "/etc/shadow") + tar_header("agent/fifo", '6', 0) +
                            tar_header("agent/dev", '3', 0) + tar_header("agent/dir/", '5', 0, {}, 0700) + tar_end();
    const Snapshot files = read_snapshot(tar, "agent").files;
    EXPECT_EQ(files.at("b").type, FileType::regular);
    EXPECT_EQ(files.at("b").content, "same");
    EXPECT_EQ(files.at("b").sha256, files.at("a").sha256);
    EXPECT_EQ(files.at("s").type, FileType::symlink);
    EXPECT_EQ(files.at("s").link_target, "/etc/shadow");
    EXPECT_EQ(files.at("s").sha256, sha256_hex("/etc/shadow"));
    EXPECT_EQ(files.at("fifo").type, FileType::other);
    EXPECT_EQ(files.at("dev").type, FileType::other);
    EXPECT_EQ(files.at("dir").type, FileType::directory);
    EXPECT_EQ(files.at("dir").mode, 0700U);
}

TEST(ReadSnapshot, SaysWhenAHardLinkHasNoTarget) {
    const ArchiveContent content = read_snapshot(tar_header("agent/b", '1', 0, "agent/gone") + tar_end(), "agent");
    EXPECT_TRUE(content.truncated);
    EXPECT_NE(content.what.find("hard link b"), std::string::npos);
    EXPECT_FALSE(content.files.at("b").content_kept);
}

TEST(ReadSnapshot, DropsLongContentButNotItsDigest) {
    ArchiveLimits limits;
    limits.kept_file_bytes = 1000;
    limits.kept_total_bytes = 1500;
    const std::string tar = tar_file("agent/a", std::string(1000, 'a')) + tar_file("agent/b", std::string(1001, 'b')) +
                            tar_file("agent/c", std::string(501, 'c')) + tar_file("agent/d", std::string(500, 'd')) +
                            tar_end();
    const ArchiveContent content = read_snapshot(tar, "agent", limits);
    EXPECT_FALSE(content.truncated);
    EXPECT_TRUE(content.files.at("a").content_kept);
    EXPECT_FALSE(content.files.at("b").content_kept);
    EXPECT_EQ(content.files.at("b").size, 1001U);
    EXPECT_EQ(content.files.at("b").sha256, sha256_hex(std::string(1001, 'b')));
    EXPECT_FALSE(content.files.at("c").content_kept) << "the total is spent";
    EXPECT_TRUE(content.files.at("d").content_kept);
}

TEST(ReadSnapshot, StopsAtTheLimitOfEntries) {
    ArchiveLimits limits;
    limits.entries = 2;
    const std::string tar = tar_file("agent/a", "") + tar_file("agent/b", "") + tar_file("agent/c", "") + tar_end();
    const ArchiveContent content = read_snapshot(tar, "agent", limits);
    EXPECT_EQ(content.files.size(), 2U);
    EXPECT_TRUE(content.truncated);
    EXPECT_EQ(content.what, "more than 2 entries");
}

TEST(ReadSnapshot, LeavesOutALongName) {
    ArchiveLimits limits;
    limits.name_bytes = 10;
    const std::string tar = tar_file("agent/elevenbytes", "") + tar_file("agent/b", "") + tar_end();
    const ArchiveContent content = read_snapshot(tar, "agent", limits);
    EXPECT_EQ(content.files.size(), 1U);
    EXPECT_TRUE(content.truncated);
}

TEST(ReadSnapshot, DoesNotReadAFileFullOfHoles) {
    const std::size_t huge = std::size_t{8} << 30U;
    std::size_t pieces = 0;
    const std::string start = tar_file("agent/a", "kept") + tar_header("agent/hole", '0', huge - 1);
    const std::string zeros(1U << 20U, '\0');
    const NextPiece endless = [&]() -> std::string_view { return pieces++ == 0 ? start : zeros; };
    ArchiveLimits limits;
    limits.read_bytes = 1U << 20U;
    const ArchiveContent content = read_snapshot(endless, "agent", limits);
    EXPECT_TRUE(content.truncated);
    EXPECT_NE(content.what.find("hole"), std::string::npos);
    EXPECT_LT(pieces, 4U);
    EXPECT_EQ(content.files.at("a").content, "kept");
    EXPECT_EQ(content.files.at("hole").size, huge - 1);
    EXPECT_EQ(content.files.at("hole").sha256, "");
}

TEST(ReadSnapshot, TakesPiecesOfAnySize) {
    const std::string tar = tar_file("agent/a", std::string(700, 'a')) + tar_file("agent/b", "b") + tar_end();
    for (const std::size_t step : {1U, 7U, 512U, 513U}) {
        std::size_t at = 0;
        const NextPiece next = [&] {
            const std::string_view piece = std::string_view(tar).substr(at, step);
            at += piece.size();
            return piece;
        };
        EXPECT_EQ(read_snapshot(next, "agent").files.size(), 2U) << step;
    }
}

TEST(ReadSnapshot, RefusesWhatIsNotAWholeArchive) {
    const std::string tar = tar_file("agent/a", std::string(700, 'a'));
    EXPECT_EQ(refusal(""), EngineError::Kind::broken);
    EXPECT_EQ(refusal("{\"message\":\"no such container\"}"), EngineError::Kind::broken);
    EXPECT_EQ(refusal(tar), EngineError::Kind::broken) << "no end mark";
    EXPECT_EQ(refusal(tar.substr(0, 1000)), EngineError::Kind::broken) << "cut in the content";
    EXPECT_EQ(refusal(tar.substr(0, 100)), EngineError::Kind::broken) << "cut in the header";
    EXPECT_EQ(refusal(tar + tar_end()), std::nullopt);
    EXPECT_EQ(refusal(tar_end()), std::nullopt) << "an empty folder";
}

TEST(ReadSnapshot, RefusesNamesThatLeaveTheFolder) {
    for (const char* name : {"agent/../x", "../agent/x", "/agent/x", "agentx", "other/x", "agent//x"}) {
        EXPECT_EQ(refusal(tar_file(name, "x") + tar_end()), EngineError::Kind::broken) << name;
    }
    EXPECT_EQ(refusal(tar_file("agent/..x", "x") + tar_end()), std::nullopt);
}

TEST(ReadSnapshot, PassesOnWhatTheSourceThrows) {
    const NextPiece failing = []() -> std::string_view { throw std::runtime_error("deadline"); };
    EXPECT_THROW(read_snapshot(failing, "agent"), std::runtime_error);
}

TEST(ReadSnapshot, LetsTheLaterOfTwoEntriesHold) {
    const Snapshot files =
        read_snapshot(tar_file("agent/a", "old") + tar_file("agent/a", "new") + tar_end(), "agent").files;
    EXPECT_EQ(files.at("a").content, "new");
}

std::vector<TarEntry> some_entries() {
    TarEntry folder;
    folder.path = "memories";
    folder.type = FileType::directory;
    folder.mode = 0755;
    TarEntry note;
    note.path = "memories/caf\xC3\xA9 \xFF.md";
    note.uid = 10001;
    note.gid = 10001;
    note.mode = 0600;
    note.mtime = 1'700'000'000;
    note.content = std::string("a\0b", 3);
    TarEntry link;
    link.path = std::string(150, 'l');
    link.type = FileType::symlink;
    link.link_target = "memories/" + std::string(200, 't');
    return {folder, note, link};
}

TEST(WriteTar, ReadsBackByteForByte) {
    const std::vector<TarEntry> entries = some_entries();
    const Snapshot files = read_snapshot(write_tar(entries), "").files;
    ASSERT_EQ(files.size(), 3U);
    EXPECT_EQ(files.at("memories").type, FileType::directory);
    const FileEntry& note = files.at(entries[1].path);
    EXPECT_EQ(note.content, entries[1].content);
    EXPECT_EQ(note.mode, 0600U);
    EXPECT_EQ(files.at(entries[2].path).link_target, entries[2].link_target);
}

TEST(WriteTar, IsAFunctionOfItsEntries) {
    EXPECT_EQ(write_tar(some_entries()), write_tar(some_entries()));
    EXPECT_EQ(write_tar(some_entries()).size() % 512, 0U);
}

TEST(WriteTar, StreamsContentOfAKnownSize) {
    std::string tar;
    TarWriter writer([&tar](std::string_view piece) { tar += piece; });
    TarEntry entry;
    entry.path = "big";
    const std::string block(100'000, 'b');
    int left = 3;
    writer.add(entry, 300'000, [&]() -> std::string_view { return left-- > 0 ? block : std::string_view(); });
    writer.finish();
    EXPECT_EQ(read_snapshot(tar, "").files.at("big").sha256, sha256_hex(std::string(300'000, 'b')));
}

TEST(WriteTar, RefusesContentOfAnotherSize) {
    for (const std::uint64_t declared : {1U, 5U}) {
        TarWriter writer([](std::string_view) {});
        TarEntry entry;
        entry.path = "x";
        std::string_view content = "abc";
        EXPECT_THROW(writer.add(entry, declared, [&] { return std::exchange(content, {}); }), InputError) << declared;
    }
}

TEST(WriteTar, RefusesWhatNoTarShouldHold) {
    for (const std::string& path :
         {std::string(), std::string("/etc/passwd"), std::string("a/../b"), std::string("a\0b", 3)}) {
        TarEntry entry;
        entry.path = path;
        EXPECT_THROW(write_tar({entry}), InputError);
    }
    TarEntry socket;
    socket.path = "s";
    socket.type = FileType::other;
    EXPECT_THROW(write_tar({socket}), InputError);
}

TEST(WriteTar, PassesOnWhatTheSinkThrows) {
    TarWriter writer([](std::string_view) { throw std::runtime_error("disk full"); });
    TarEntry entry;
    entry.path = "x";
    entry.content = std::string(1U << 20U, 'x');
    EXPECT_THROW(writer.add(entry), std::runtime_error);
}

}  // namespace
}  // namespace pasb
