#include <cstdio>
#include <filesystem>
#include <functional>
#include <optional>

#include "agent/adapter_file.hpp"
#include "command/commands.hpp"
#include "command/stop_signal.hpp"
#include "gateway/models.hpp"
#include "model/bytes.hpp"
#include "model/errors.hpp"
#include "sandbox/baseline.hpp"
#include "sandbox/engine_finder.hpp"
#include "sandbox/image_recipe.hpp"
#include "sandbox/layer.hpp"
#include "sandbox/leftovers.hpp"
#include "sandbox/limits_probe.hpp"
#include "sandbox/runtime_folder.hpp"

namespace pasb {
namespace {

using namespace std::chrono_literals;

// A run's exchanges and record take about 0.2 MB; images need about 4 GB while they are built.
constexpr std::uint64_t wanted_disk = std::uint64_t{6} << 30;

class Doctor {
  public:
    Doctor(const DoctorOptions& options, const CommonOptions& common, std::stop_token stop)
        : options_(options), common_(common), files_(common.also), deadline_(Deadline::after(20min, std::move(stop))) {}

    int examine() {
        check("container engine", "run `make setup`, or start Podman or Docker", [this] { return find_the_engine(); });
        if (found_.engine) {
            for (const std::string& framework : options_.frameworks) {
                check("image and baseline of " + framework, "run `make images`", [&] { return image_of(framework); });
            }
            check("limits in a container", "see README.md, Isolation: use cgroup v2 with a rootful engine",
                  [this] { return limits(); });
        }
        check("disk space", "free some space, or choose another --out", [this] { return disk(); });
        if (!options_.model.empty()) {
            check("model " + options_.model, "check configs/models.yaml, the key's variable and the endpoint",
                  [this] { return model(); });
            if (upstream_) {
                check("tool calls of " + options_.model, "serve the model with a tool-call parser",
                      [this] { return tool_call(); });
            }
        }
        return failed_ > 0 ? exit_code::check_failed : exit_code::ok;
    }

  private:
    // A check answers what it found, or throws what is wrong.
    void check(const std::string& what, const char* remedy, const std::function<std::string()>& look) {
        try {
            std::printf("pass  %-36s %s\n", what.c_str(), terminal_text(look()).c_str());
        } catch (const std::exception& error) {
            ++failed_;
            std::printf("FAIL  %-36s %s\n      remedy: %s\n", what.c_str(), terminal_text(error.what()).c_str(),
                        remedy);
        }
    }

    std::string find_the_engine() {
        found_ = find_engine(common_.engine, runtime_.path(), deadline_);
        const EngineInfo info = found_.engine->info(deadline_);
        std::string text = found_.engine->quirks().name + " " + found_.engine->version().version + " by " + found_.how +
                           ", cgroup " + info.cgroup_version + ", " + info.storage_driver +
                           (info.rootless ? ", rootless" : "");
        for (const std::string& remark : found_.remarks) {
            text += "\n      host: " + remark;
        }
        return text;
    }

    std::string image_of(const std::string& framework) {
        const Adapter adapter = load_adapter(files_.adapter_folder(framework));
        const ImageRecipe recipe = read_recipe(files_.image_folders(), adapter.image);
        const auto image = found_.engine->image(recipe.tag(), deadline_);
        if (!image) {
            throw InputError(recipe.tag() + " is not in the engine");
        }
        if (!image->volumes.empty()) {
            throw InputError(recipe.tag() + " declares a volume, which hides notes from the capture");
        }
        const Baseline baseline = read_baseline(files_.baseline_file(adapter.image));
        const BaselineCheck result = check_baseline(
            baseline, observe_image(*found_.engine, adapter, *image, runtime_.owner(), deadline_).baseline);
        if (!result.differences.empty()) {
            throw InputError(std::to_string(result.differences.size()) +
                             " differences from the baseline, the first: " + result.differences.front());
        }
        image_ = image->id;
        return image->id + (result.warnings.empty() ? "" : ", warning: " + result.warnings.front());
    }

    std::string limits() {
        if (image_.empty()) {
            throw InputError("no image to try them in");
        }
        const std::string exchange = runtime_.make_exchange("doctor");
        ContainerSpec spec;
        spec.name = "pasb-doctor-" + runtime_.owner();
        spec.image = image_;
        spec.command = {"/bin/sleep", "60"};
        spec.user = std::to_string(agent_uid) + ":" + std::to_string(agent_uid);
        spec.folder = agent_home;
        spec.bind_host = exchange;
        spec.bind_inside = "/run/pasb";
        spec.labels = {{owner_label, runtime_.owner()}};
        const std::string id = found_.engine->create(spec, deadline_);
        LimitsInForce found;
        try {
            found_.engine->start(id, deadline_);
            found = judge_limits(spec.limits, found_.engine->exec(id, limits_probe_command(), deadline_).output);
        } catch (...) {
            found_.engine->remove(id, Deadline::after(1min));
            throw;
        }
        found_.engine->remove(id, deadline_);
        std::string text = std::to_string(found.limits.size()) + " read back";
        bool missing = false;
        for (const std::string& warning : found.warnings) {
            text += "\n      " + warning;
            missing = missing || warning.rfind("limit-not-in-force", 0) == 0;
        }
        if (missing) {
            throw InputError(text);
        }
        return text;
    }

    std::string disk() const {
        std::filesystem::path folder = std::filesystem::absolute(options_.out);
        while (!std::filesystem::exists(folder)) {
            folder = folder.parent_path();
        }
        const std::uint64_t free = std::filesystem::space(folder).available;
        const std::string text = std::to_string(free >> 30U) + " GiB free at " + folder.string();
        if (free < wanted_disk) {
            throw InputError(text + ", wanted are " + std::to_string(wanted_disk >> 30U));
        }
        return text;
    }

    Answer ask(const nlohmann::json& body) {
        ChatRequest request;
        request.value = body;
        request.body = body.dump();
        Answer answer = upstream_->complete(request, deadline_.within(3min), [](std::string_view) {});
        if (!answer.error.empty()) {
            throw InputError(answer.error);
        }
        return answer;
    }

    std::string model() {
        ResolvedModel resolved = resolve_model(options_.model, read_models(files_.models_file()), process_environment);
        upstream_ = resolved.upstream;
        const Answer answer = ask(
            {{"model", "pasb-model"}, {"messages", {{{"role", "user"}, {"content", "Answer with one word: ready"}}}}});
        const std::string text = answer.response.at("choices").at(0).at("message").value("content", "");
        if (text.empty()) {
            throw InputError("answered without text");
        }
        return (resolved.simulated ? "simulated model: " : "") + text.substr(0, 80);
    }

    std::string tool_call() {
        const nlohmann::json tool{{"type", "function"},
                                  {"function",
                                   {{"name", "save_note"},
                                    {"description", "Saves a note for later chats."},
                                    {"parameters",
                                     {{"type", "object"},
                                      {"properties", {{"file", {{"type", "string"}}}, {"text", {{"type", "string"}}}}},
                                      {"required", {"file", "text"}}}}}}};
        const Answer answer =
            ask({{"model", "pasb-model"},
                 {"tools", {tool}},
                 {"messages",
                  {{{"role", "user"},
                    {"content", "Remember this: I water the ferns on Fridays. Save it to USER.md with the tool."}}}}});
        const nlohmann::json& message = answer.response.at("choices").at(0).at("message");
        if (!message.contains("tool_calls") || message.at("tool_calls").empty()) {
            throw InputError("the answer has no tool call: " + message.value("content", "").substr(0, 120));
        }
        return message.at("tool_calls").at(0).at("function").at("name").get<std::string>() + " called";
    }

    const DoctorOptions& options_;
    const CommonOptions& common_;
    ProjectFiles files_;
    RuntimeFolder runtime_;
    Deadline deadline_;
    FoundEngine found_;
    std::string image_;
    std::shared_ptr<Upstream> upstream_;
    int failed_ = 0;
};

}  // namespace

int doctor_command(const DoctorOptions& options, const CommonOptions& common) {
    const StopSignal stop;
    return Doctor(options, common, stop.token()).examine();
}

}  // namespace pasb
