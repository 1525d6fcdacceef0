#include "sandbox/layer.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"
#include "wire/archive.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

constexpr std::int64_t epoch = 1'700'000'000;

void put(const fs::path& file, const std::string& text, unsigned mode = 0644) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    ::chmod(file.c_str(), mode);
}

// The same content laid down in either order, at whatever time, with whatever umask the folders got.
fs::path stage(const TemporaryFolder& folder, const std::string& name, bool backwards) {
    const fs::path root = folder.path() / name;
    const auto program = [&] { put(root / "opt/x/run", "#!/bin/sh\n", 0777); };
    const auto note = [&] { put(root / "home/agent/notes/USER.md", "note\n", 0664); };
    backwards ? note() : program();
    backwards ? program() : note();
    fs::create_symlink("run", root / "opt/x/link");
    ::chmod((root / "opt").c_str(), backwards ? 0775 : 0755);
    return root;
}

std::string pack(const TemporaryFolder& folder, const fs::path& root) {
    return pack_layer(root.string(), (folder.path() / "layer.tar").string(), epoch).diff_id;
}

TEST(PackLayer, IsAFunctionOfTheContentAlone) {
    const TemporaryFolder folder;
    const std::string first = pack(folder, stage(folder, "a", false));
    const fs::path again = stage(folder, "b", true);
    fs::last_write_time(again / "opt/x/run", fs::file_time_type::clock::now() - std::chrono::hours(100));
    EXPECT_EQ(pack(folder, again), first);
    EXPECT_EQ(first, file_digest((folder.path() / "layer.tar").string()));
    put(again / "opt/x/run", "#!/bin/bash\n", 0777);
    EXPECT_NE(pack(folder, again), first);
}

TEST(PackLayer, ChangesWithAModeOrAName) {
    const TemporaryFolder folder;
    const fs::path root = stage(folder, "a", false);
    const std::string first = pack(folder, root);
    ::chmod((root / "opt/x/run").c_str(), 0644);
    EXPECT_NE(pack(folder, root), first);
    ::chmod((root / "opt/x/run").c_str(), 0755);
    EXPECT_EQ(pack(folder, root), first);
    fs::rename(root / "opt/x/run", root / "opt/x/ran");
    EXPECT_NE(pack(folder, root), first);
}

TEST(PackLayer, GivesTheHomeToTheAgentAndTheRestToRoot) {
    const TemporaryFolder folder;
    pack(folder, stage(folder, "a", false));
    const fs::path out = folder.path() / "out";
    const std::string list =
        "tar --numeric-owner -tvf " + (folder.path() / "layer.tar").string() + " > " + out.string();
    ASSERT_EQ(std::system(list.c_str()), 0);
    const std::string text = folder.read("out");
    for (const char* line : {"drwxr-xr-x 10001/10001", "-rw-r--r-- 10001/10001", "-rwxr-xr-x 0/0", "lrwxrwxrwx 0/0"}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << "\n" << text;
    }
    EXPECT_EQ(text.find("rw-rw"), std::string::npos) << "nothing is writable by a group\n" << text;
}

TEST(PackLayer, RefusesWhatAnImageMustNotHold) {
    const TemporaryFolder folder;
    const fs::path root = stage(folder, "a", false);
    ASSERT_EQ(::mkfifo((root / "fifo").c_str(), 0644), 0);
    EXPECT_THROW(pack(folder, root), InputError);
}

TEST(WriteImageArchive, IsTheSameForTheSameLayers) {
    const TemporaryFolder folder;
    const fs::path root = stage(folder, "a", false);
    const Layer layer = pack_layer(root.string(), (folder.path() / "layer.tar").string(), epoch);
    ImageRecipe recipe;
    recipe.name = "x";
    const ImageConfig config = image_config(recipe, {layer}, epoch);
    const auto write = [&](const std::string& name) {
        write_image_archive((folder.path() / name).string(), "localhost/pasb/x:1", config, {layer});
        return folder.read(name);
    };
    EXPECT_EQ(write("one.tar"), write("two.tar"));
    const Snapshot files = read_snapshot(folder.read("one.tar"), "").files;
    EXPECT_EQ(files.size(), 3U);
    EXPECT_EQ(files.at(config.id.substr(7) + ".json").content, config.json);
    EXPECT_NE(files.at("manifest.json").content.find("localhost/pasb/x:1"), std::string::npos);
}

TEST(WriteImageArchive, AFullDiskIsSaid) {
    const TemporaryFolder folder;
    ImageRecipe recipe;
    EXPECT_THROW(write_image_archive("/dev/full", "x:1", image_config(recipe, {}, epoch), {}), InputError);
}

}  // namespace
}  // namespace pasb
