#include "gateway/models.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "gateway/sim_model.hpp"
#include "model/errors.hpp"

namespace pasb {
namespace {

Environment environment(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
        const auto found = values.find(name);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    };
}

std::string complaint(const std::function<void()>& call) {
    try {
        call();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

TEST(Models, TheShippedFileIsSound) {
    const auto entries = read_models(PASB_SOURCE_DIR "/configs/models.yaml");
    ASSERT_TRUE(entries.contains("kimi-k2.6"));
    EXPECT_EQ(entries.at("kimi-k2.6").base_url_env, "KIMI_BASE_URL");
    EXPECT_EQ(entries.at("local-vllm").base_url, "http://127.0.0.1:8000/v1");
    EXPECT_TRUE(entries.at("local-vllm").api_key_env.empty());
    EXPECT_EQ(entries.at("gpt-4.1").api_key_env, "OPENAI_API_KEY");
}

TEST(Models, EveryFieldIsRead) {
    const auto entries = parse_models(
        "models:\n  a: {base_url: 'http://h/v1', model: m, api_key_env: K, temperature: omit, max_concurrent: 2, "
        "timeout_s: 3, retries: 0, "
        "context_length: 9, response_format: none}\n",
        "f.yaml");
    const auto& entry = entries.at("a");
    EXPECT_FALSE(entry.send_temperature);
    EXPECT_EQ(entry.max_concurrent, 2);
    EXPECT_EQ(entry.timeout_s, 3);
    EXPECT_EQ(entry.retries, 0);
    EXPECT_EQ(entry.context_length, 9);
    EXPECT_FALSE(entry.json_schema);
}

TEST(Models, MistakesAreNamedWithFileAndEntry) {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"models:\n  a: {model: m}\n", "base_url"},
        {"models:\n  a: {base_url: x, base_url_env: Y, model: m}\n", "base_url"},
        {"models:\n  a: {base_url: x}\n", "model is missing"},
        {"models:\n  a: {base_url: x, model: m, temprature: 0}\n", "unknown field 'temprature'"},
        {"models:\n  a: {base_url: x, model: m, temperature: 0.7}\n", "temperature"},
        {"models:\n  a: {base_url: x, model: m, retries: many}\n", "retries"},
        {"models:\n  a: {base_url: x, model: m, max_concurrent: 0}\n", "max_concurrent"},
        {"models:\n  a: {base_url: x, model: m, response_format: xml}\n", "response_format"},
        {"models:\n  sim:x: {base_url: x, model: m}\n", "sim:"},
        {"models:\n  a: 1\n", "must hold fields"},
    };
    for (const auto& [yaml, word] : cases) {
        const std::string said = complaint([&] { parse_models(yaml, "f.yaml"); });
        EXPECT_NE(said.find("f.yaml:2"), std::string::npos) << yaml << said;
        EXPECT_NE(said.find(word), std::string::npos) << yaml << said;
    }
    EXPECT_NE(complaint([] { parse_models("models: [", "f.yaml"); }).find("f.yaml:"), std::string::npos);
    EXPECT_NE(complaint([] { parse_models("x: 1", "f.yaml"); }).find("f.yaml"), std::string::npos);
    EXPECT_NE(complaint([] { read_models("/nowhere/m.yaml"); }).find("/nowhere/m.yaml"), std::string::npos);
}

TEST(ResolveModel, SimulatedModelsNeedNothing) {
    for (const auto& name : sim_model_names()) {
        const auto model = resolve_model(name, {}, environment({}));
        EXPECT_TRUE(model.simulated);
        EXPECT_TRUE(model.upstream->simulated());
        EXPECT_EQ(model.name, name);
    }
}

TEST(ResolveModel, AnEntryTakesItsSecretsFromTheEnvironment) {
    const auto entries = parse_models("models:\n  a: {base_url_env: U, model: real-id, api_key_env: K}\n", "f");
    EXPECT_NE(complaint([&] {
                  resolve_model("a", entries, environment({{"U", "http://h/v1"}}));
              }).find("K is not set"),
              std::string::npos);
    EXPECT_NE(complaint([&] {
                  resolve_model("a", entries, environment({{"K", "secret"}}));
              }).find("U is not set"),
              std::string::npos);
    const auto model = resolve_model("a", entries, environment({{"U", "http://h/v1"}, {"K", "secret"}}));
    EXPECT_FALSE(model.simulated);
    EXPECT_EQ(model.id, "real-id");
    const std::string said = complaint([&] {
        resolve_model("a", entries, environment({{"U", "nonsense"}, {"K", "secret"}}));
    });
    EXPECT_NE(said, "");
    EXPECT_EQ(said.find("secret"), std::string::npos);
}

TEST(ResolveModel, AnyIdWorksWithAnEndpointInTheEnvironment) {
    const auto with = environment({{"OPENAI_BASE_URL", "http://h/v1"}, {"OPENAI_API_KEY", "k"}});
    EXPECT_EQ(resolve_model("some/model", {}, with).id, "some/model");
    EXPECT_THROW(resolve_model("sim:nobody", {}, with), InputError);
    const std::string said = complaint([] {
        resolve_model("some/model", parse_models("models:\n  a: {base_url: x, model: m}\n", "f"), environment({}));
    });
    EXPECT_NE(said.find("sim:adopter"), std::string::npos) << said;
    EXPECT_NE(said.find(", a"), std::string::npos) << said;
}

}  // namespace
}  // namespace pasb
