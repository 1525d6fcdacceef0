#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "sandbox/layer.hpp"

namespace pasb {
namespace {

constexpr std::int64_t epoch = 1'700'000'000;

ImageRecipe recipe() {
    ImageRecipe recipe;
    recipe.name = "tiny";
    recipe.key = "0123456789abcdef0123";
    recipe.env = {{"PATH", "/bin"}, {"HOME", "/home/agent"}};
    recipe.user = "10001:10001";
    recipe.workdir = "/home/agent";
    recipe.labels = {{"pasb.framework", "tiny"}};
    return recipe;
}

const std::vector<Layer> layers{{"/a.tar", "sha256:aa"}, {"/b.tar", "sha256:bb"}};

TEST(ImageConfig, HoldsWhatTheRecipeSays) {
    const auto config = nlohmann::json::parse(image_config(recipe(), layers, epoch).json);
    EXPECT_EQ(config.at("config").at("User"), "10001:10001");
    EXPECT_EQ(config.at("config").at("WorkingDir"), "/home/agent");
    EXPECT_EQ(config.at("config").at("Env"), (nlohmann::json{"HOME=/home/agent", "PATH=/bin"}));
    EXPECT_EQ(config.at("config").at("Labels"), (nlohmann::json{{"pasb.framework", "tiny"}, {"pasb.image", "tiny"}}));
    EXPECT_EQ(config.at("rootfs").at("diff_ids"), (nlohmann::json{"sha256:aa", "sha256:bb"}));
    EXPECT_EQ(config.at("history").size(), 2U);
    EXPECT_EQ(config.at("created"), "2023-11-14T22:13:20Z");
    EXPECT_FALSE(config.at("config").contains("Volumes"));
}

TEST(ImageConfig, TheIdIsAFunctionOfTheContentAlone) {
    const ImageConfig first = image_config(recipe(), layers, epoch);
    EXPECT_EQ(first.id, image_config(recipe(), {{"/elsewhere.tar", "sha256:aa"}, {"/too.tar", "sha256:bb"}}, epoch).id)
        << "where the layers lie is no content";
    EXPECT_NE(first.id, image_config(recipe(), {layers[1], layers[0]}, epoch).id);
    EXPECT_NE(first.id, image_config(recipe(), {layers[0]}, epoch).id);
    EXPECT_NE(first.id, image_config(recipe(), layers, epoch + 1).id);
    ImageRecipe other = recipe();
    other.user = "0:0";
    EXPECT_NE(first.id, image_config(other, layers, epoch).id);
    other = recipe();
    other.env["A"] = "b";
    EXPECT_NE(first.id, image_config(other, layers, epoch).id);
    EXPECT_EQ(first.id.size(), std::string("sha256:").size() + 64);
}

TEST(ImageRecipe, TheTagCarriesTheKey) {
    EXPECT_EQ(recipe().tag(), "localhost/pasb/tiny:0123456789abcdef");
}

}  // namespace
}  // namespace pasb
