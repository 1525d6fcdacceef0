#include "run/baseline_texts_file.hpp"

#include <gtest/gtest.h>

#include "model/errors.hpp"
#include "temporary_folder.hpp"

namespace pasb {
namespace {

void put(Manifest& manifest, Snapshot& home, const std::string& path, PathKind kind, const std::string& text) {
    manifest[path] = {path, FileType::regular, 0644, "", kind};
    FileEntry entry;
    entry.path = path;
    entry.content = text;
    entry.content_kept = true;
    home[path] = entry;
}

TEST(BaselineTextsFile, KeepsTheNotesAlone) {
    const testing::TemporaryFolder folder;
    Manifest manifest;
    Snapshot home;
    put(manifest, home, "SOUL.md", PathKind::persona, "be kind\n\xff");
    put(manifest, home, "config.json", PathKind::config, "{}");
    EXPECT_TRUE(read_baseline_texts(folder.path(), "hermes").empty());
    write_baseline_texts(folder.path(), "hermes", manifest, home);
    EXPECT_EQ(read_baseline_texts(folder.path(), "hermes"), (BaselineTexts{{"SOUL.md", "be kind\n\xff"}}));
}

TEST(BaselineTextsFile, NamesAFileThatIsNone) {
    const testing::TemporaryFolder folder;
    write_baseline_texts(folder.path(), "hermes", {}, {});
    folder.write("baseline-notes/hermes.json", "{}");
    EXPECT_THROW(read_baseline_texts(folder.path(), "hermes"), InputError);
}

}  // namespace
}  // namespace pasb
