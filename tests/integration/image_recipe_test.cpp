#include "sandbox/image_recipe.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "integration/temporary_folder.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

// A base and a child with a script, a folder of files and a label.
class ImageRecipeTest : public ::testing::Test {
  protected:
    ImageRecipeTest() {
        for (const char* path : {"base", "child/files/deep"}) {
            fs::create_directories(folder_.path() / path);
        }
        folder_.write("base/image.yaml", "{name: base, inputs: [stage], env: {PATH: /bin, LANG: C}}");
        folder_.write("base/stage", "base");
        folder_.write("child/image.yaml", child_);
        folder_.write("child/stage", "child");
        folder_.write("child/files/a", "a");
        folder_.write("child/files/deep/b", "b");
        before_ = key();
    }

    [[nodiscard]] ImageRecipe recipe(const std::string& name = "child") const {
        return read_recipe({folder_.path().string()}, name);
    }
    [[nodiscard]] std::string key() const { return recipe().key; }
    [[nodiscard]] std::string error() const {
        try {
            (void)recipe();
            return "(no error)";
        } catch (const InputError& error) {
            return error.what();
        }
    }
    void yaml(const std::string& from, const std::string& to) {
        std::string text = child_;
        text.replace(text.find(from), from.size(), to);
        folder_.write("child/image.yaml", text);
    }

    TemporaryFolder folder_;
    std::string child_ =
        "{name: child, parent: base, inputs: [stage, files], env: {LANG: C.UTF-8}, labels: {a: b}, user: '1:1', "
        "workdir: /w}";
    std::string before_;
};

TEST_F(ImageRecipeTest, ReadsWhatTheFileSaysAndTheParentsEnvironment) {
    const ImageRecipe child = recipe();
    EXPECT_EQ(child.name, "child");
    EXPECT_EQ(child.parent, "base");
    EXPECT_EQ(child.env, (std::map<std::string, std::string>{{"LANG", "C.UTF-8"}, {"PATH", "/bin"}}));
    EXPECT_EQ(child.user, "1:1");
    EXPECT_EQ(child.workdir, "/w");
    EXPECT_EQ(recipe("base").user, "10001:10001");
    EXPECT_EQ(recipe_names({folder_.path().string()}), (std::vector<std::string>{"base", "child"}));
}

TEST_F(ImageRecipeTest, TheKeyStaysWhileNothingThatCountsChanges) {
    folder_.write("child/README", "not an input");
    yaml("{name", "# a comment\n{name");
    fs::last_write_time(folder_.path() / "child/stage", fs::file_time_type::clock::now() - std::chrono::hours(9));
    EXPECT_EQ(key(), before_);
}

TEST_F(ImageRecipeTest, TheKeyChangesWithEachInput) {
    folder_.write("child/stage", "changed");
    EXPECT_NE(key(), before_);
    folder_.write("child/stage", "child");
    EXPECT_EQ(key(), before_);

    folder_.write("child/files/deep/b", "c");
    EXPECT_NE(key(), before_);
    folder_.write("child/files/deep/b", "b");

    folder_.write("child/files/new", "");
    EXPECT_NE(key(), before_);
    fs::remove(folder_.path() / "child/files/new");

    fs::rename(folder_.path() / "child/files/a", folder_.path() / "child/files/z");
    EXPECT_NE(key(), before_);
    fs::rename(folder_.path() / "child/files/z", folder_.path() / "child/files/a");

    ::chmod((folder_.path() / "child/stage").c_str(), 0755);
    EXPECT_NE(key(), before_);
    ::chmod((folder_.path() / "child/stage").c_str(), 0644);
    EXPECT_EQ(key(), before_);
}

TEST_F(ImageRecipeTest, TheKeyChangesWithASymbolicLinkAmongTheInputs) {
    fs::create_symlink("a", folder_.path() / "child/files/link");
    const std::string with_link = key();
    EXPECT_NE(with_link, before_);
    fs::remove(folder_.path() / "child/files/link");
    fs::create_symlink("deep/b", folder_.path() / "child/files/link");
    EXPECT_NE(key(), with_link);
}

TEST_F(ImageRecipeTest, TheKeyChangesWithTheConfiguration) {
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"LANG: C.UTF-8", "LANG: C"},
                                                                                   {"a: b", "a: c"},
                                                                                   {"'1:1'", "'2:2'"},
                                                                                   {"/w", "/v"},
                                                                                   {"[stage, files]", "[stage]"}}) {
        yaml(from, to);
        EXPECT_NE(key(), before_) << to;
    }
}

TEST_F(ImageRecipeTest, TheKeyChangesWithTheParent) {
    folder_.write("base/stage", "newer");
    EXPECT_NE(key(), before_);
}

TEST_F(ImageRecipeTest, SaysWhatIsWrongAndWhere) {
    yaml("workdir", "wrokdir");
    EXPECT_NE(error().find("child/image.yaml:1: unknown key 'wrokdir'"), std::string::npos) << error();
    yaml("[stage, files]", "[stage, gone]");
    EXPECT_NE(error().find("gone does not exist"), std::string::npos) << error();
    yaml("parent: base", "parent: nobody");
    EXPECT_NE(error().find("no image 'nobody'"), std::string::npos) << error();
    yaml("{name", "[name");
    EXPECT_NE(error().find("child/image.yaml:"), std::string::npos) << error();
    yaml("name: child, ", "");
    EXPECT_NE(error().find("child/image.yaml"), std::string::npos) << error();
}

TEST_F(ImageRecipeTest, AParentOfItselfIsAnErrorNotAnEndlessSearch) {
    yaml("parent: base", "parent: child");
    EXPECT_NE(error(), "(no error)");
}

}  // namespace
}  // namespace pasb
