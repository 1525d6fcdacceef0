#include <gtest/gtest.h>

#include <filesystem>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"
#include "sandbox/baseline.hpp"

namespace pasb {
namespace {

using testing::TemporaryFolder;

ManifestEntry entry(const std::string& path, FileType type, PathKind kind) {
    ManifestEntry value;
    value.path = path;
    value.type = type;
    value.mode = 0640;
    value.sha256 = "aa";
    value.kind = kind;
    return value;
}

TEST(BaselineFile, ComesBackAsItWasWritten) {
    const TemporaryFolder folder;
    Baseline baseline;
    baseline.framework = "tiny";
    baseline.version = "1";
    baseline.image_id = "sha256:image";
    baseline.layers = {"sha256:a", "sha256:b"};
    for (const auto& [path, type] : std::map<std::string, FileType>{{"notes", FileType::directory},
                                                                    {"notes/USER.md", FileType::regular},
                                                                    {"caf\xe9\n\"x", FileType::symlink}}) {
        baseline.manifest.emplace(path, entry(path, type, PathKind::user));
    }
    const std::string file = (folder.path() / "new/folder/baseline.json").string();
    write_baseline(file, baseline);
    const Baseline read = read_baseline(file);
    const BaselineCheck check = check_baseline(baseline, read);
    EXPECT_EQ(check.differences, std::vector<std::string>{});
    EXPECT_EQ(read.manifest.size(), 3U);
    EXPECT_EQ(read.manifest.at("caf\xe9\n\"x").type, FileType::symlink);
    EXPECT_EQ(read.manifest.at("notes/USER.md").kind, PathKind::user);
    EXPECT_EQ(read.sha256.size(), 64U);
    write_baseline(file, read);
    EXPECT_EQ(read_baseline(file).sha256, read.sha256) << "written again it is the same file";
}

TEST(BaselineFile, SaysWhatIsWrongWithIt) {
    const TemporaryFolder folder;
    const auto error_of = [&](const std::string& text) {
        folder.write("baseline.json", text);
        try {
            (void)read_baseline((folder.path() / "baseline.json").string());
            return std::string("(no error)");
        } catch (const InputError& error) {
            return std::string(error.what());
        }
    };
    const std::string head =
        R"({"schema": "pasb.baseline/1", "framework": "f", "version": "1", "image_id": "i", "layers": [], )";
    EXPECT_EQ(error_of(head + R"("home": []})"), "(no error)");
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string("[]"), std::string(R"({"schema": "pasb.baseline/2"})"),
          head + R"("home": [{}]})", head + R"("home": [{"path": "x", "type": "door", "mode": 1, "sha256": "",
                                    "kind": "user"}]})",
          head + R"("home": 5})"}) {
        EXPECT_NE(error_of(text).find("baseline.json: "), std::string::npos) << text << ": " << error_of(text);
    }
    EXPECT_THROW((void)read_baseline((folder.path() / "none.json").string()), InputError);
}

}  // namespace
}  // namespace pasb
