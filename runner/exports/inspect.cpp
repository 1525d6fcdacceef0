#include <algorithm>
#include <map>
#include <set>

#include "exports/exporter.hpp"
#include "exports/inspect_sample.hpp"
#include "exports/zip_writer.hpp"
#include "model/bytes.hpp"

namespace pasb {
namespace {

using nlohmann::json;

constexpr int log_version = 2;  // of Inspect's log format

std::string bytes_of(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// For file names: lower-case letters, digits and dashes. Inspect splits file names at underscores.
std::string slug(const std::string& text) {
    std::string out;
    for (const char byte : text) {
        const bool upper = byte >= 'A' && byte <= 'Z';
        const bool plain = upper || (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9');
        if (plain) {
            out += upper ? static_cast<char>(byte - 'A' + 'a') : byte;
        } else if (!out.empty() && out.back() != '-') {
            out += '-';
        }
    }
    return out;
}

// Empty for what is no time: the text goes into a file's name and must be one for Inspect.
std::string time_or_empty(const json& times, const char* key) {
    const auto found = times.is_object() ? times.find(key) : times.end();
    if (!times.is_object() || found == times.end() || !found->is_string()) {
        return {};
    }
    const std::string& text = found->get_ref<const std::string&>();
    const bool is_time = text.size() == std::string_view("2026-11-30T11:36:07Z").size() && text.ends_with('Z') &&
                         text.find_first_not_of("0123456789-T:Z") == std::string::npos;
    return is_time ? text : "";
}

// "2026-11-30T11:36:07Z" as Inspect writes it into file names.
std::string time_in_name(std::string time) {
    time.replace(time.size() - 1, 1, "+00-00");
    std::replace(time.begin(), time.end(), ':', '-');
    return time;
}

struct Sum {
    double total = 0;
    std::size_t count = 0;
};

// The log of one combination. Samples go out as they come; the head, which holds the sums, is written last.
class InspectLog {
  public:
    // `id` is unique among the logs of one export.
    InspectLog(OutputFiles& files, const Record& first, std::string id)
        : id_(std::move(id)),
          framework_(to_utf8(first.framework)),
          model_(inspect_model(first)),
          arm_(first.arm),
          simulated_(first.simulated),
          created_(time_or_empty(first.times, "started")),
          zip_(files.open(file_name(first))) {}

    void add(const JudgedRun& run) {
        const json sample = inspect_sample(run, scores_of(run));
        const std::string sample_id = sample.at("id");
        zip_.add("samples/" + sample_id + "_epoch_1.json", bytes_of(sample));
        summaries_ += (summaries_.empty() ? "[" : ",") + bytes_of(inspect_summary(sample));
        sample_ids_.push_back(sample_id);
        valid_ += run.record.valid ? 1 : 0;
        for (const auto& [name, score] : sample.at("scores").items()) {
            const json& value = score.at("value");
            sums_[name].total += value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0) : value.get<double>();
            sums_[name].count += 1;
        }
        add_account(run);
    }

    void finish() {
        zip_.add("summaries.json", summaries_ + "]");
        zip_.add("header.json", bytes_of({{"version", log_version},
                                          {"status", "success"},
                                          {"eval", eval()},
                                          {"plan", plan()},
                                          {"results", results()},
                                          {"stats", stats()},
                                          {"invalidated", false},
                                          {"tags", tags()},
                                          {"metadata", metadata()}}));
        zip_.finish();
    }

  private:
    // As Inspect names its own: time, task, id.
    [[nodiscard]] std::string file_name(const Record& first) const {
        return (created_.empty() ? "" : time_in_name(created_) + "_") + "pasb-" +
               slug(first.framework + "-" + first.model) + "_" + id_ + ".eval";
    }

    void add_account(const JudgedRun& run) {
        const Record& record = run.record;
        const json usage = inspect_usage(record);
        for (const auto& [key, tokens] : usage.items()) {
            usage_[key] += tokens.get<std::int64_t>();
        }
        const std::string started = time_or_empty(record.times, "started");
        if (!started.empty() && (started_.empty() || started < started_)) {
            started_ = started;
        }
        ended_ = std::max(ended_, time_or_empty(record.times, "ended"));
        versions_.insert(to_utf8(record.framework_version));
        images_.insert(record.image_id);
        if (run.judgement) {
            judge_ = to_utf8(run.judgement->judge);
            judge_simulated_ = run.judgement->simulated;
        }
    }

    [[nodiscard]] json tags() const {
        json all{"pasb"};
        if (judge_simulated_) {
            all.push_back("simulated-judge");
        }
        if (simulated_) {
            all.push_back("simulated-model");
        }
        return all;  // Inspect keeps tags sorted
    }

    [[nodiscard]] json metadata() const {
        return {{"framework", framework_},
                {"framework_versions", versions_},
                {"image_ids", images_},
                {"arm", arm_},
                {"simulated", simulated_},
                {"judge", judge_.empty() ? json() : json(judge_)},
                {"judge_simulated", judge_.empty() ? json() : json(judge_simulated_)},
                {"valid_runs", valid_},
                {"invalid_runs", sample_ids_.size() - valid_}};
    }

    [[nodiscard]] json eval() const {
        const std::string task = "PASB " + framework_ + (simulated_ ? " (simulated model)" : "") +
                                 (arm_ == "main" ? "" : ", arm " + to_utf8(arm_));
        return {
            {"eval_id", id_},
            {"run_id", id_},
            {"created", created_.empty() ? "1970-01-01T00:00:00Z" : created_},
            {"task", task},
            {"task_id", id_},
            {"task_version", 0},
            {"task_description", "Does a claim that the agent saved in a first chat steer its answers in a later one?"},
            {"task_attribs", json::object()},
            {"task_args", json::object()},
            {"task_args_passed", json::object()},
            {"tags", tags()},
            {"dataset",
             {{"name", "pasb"}, {"samples", sample_ids_.size()}, {"sample_ids", sample_ids_}, {"shuffled", false}}},
            {"model", model_},
            {"model_generate_config", json::object()},
            {"model_args", json::object()},
            {"config", {{"epochs", 1}}},
            {"packages", json::object()},
            {"metadata", metadata()},
            // Agents and models wrote what the samples hold: no markup, links or images of theirs are drawn.
            {"viewer", {{"scanner_result_view", json::object()}, {"trust_content", false}}}};
    }

    static json plan() {
        json steps = json::array();
        for (const char* const step : {"first_chat", "cut", "follow_up"}) {
            steps.push_back({{"solver", std::string("pasb/") + step},
                             {"params", json::object()},
                             {"params_passed", json::object()}});
        }
        return {{"name", "pasb"}, {"steps", steps}, {"config", json::object()}};
    }

    [[nodiscard]] json results() const {
        json scores = json::array();
        for (const std::string& name : inspect_score_names()) {
            scores.push_back(result(name));
        }
        json results{{"total_samples", sample_ids_.size()}, {"completed_samples", valid_}, {"scores", scores}};
        if (sums_.contains("downstream_failure")) {
            results["headline"] = {
                {"scorer", "downstream_failure"}, {"score", "downstream_failure"}, {"metric", "mean"}};
        }
        return results;
    }

    // Without a scored run there is no mean, and none is written.
    [[nodiscard]] json result(const std::string& name) const {
        const auto found = sums_.find(name);
        const Sum sum = found == sums_.end() ? Sum() : found->second;
        json metrics = json::object();
        if (sum.count > 0) {
            metrics["mean"] = {
                {"name", "mean"}, {"value", sum.total / static_cast<double>(sum.count)}, {"params", json::object()}};
        }
        return {{"name", name},
                {"scorer", name},
                {"params", json::object()},
                {"scored_samples", sum.count},
                {"unscored_samples", sample_ids_.size() - sum.count},
                {"metrics", metrics},
                {"metadata", {{"valid_unscored", valid_ - sum.count}, {"invalid", sample_ids_.size() - valid_}}}};
    }

    [[nodiscard]] json stats() const {
        return {{"started_at", started_},
                {"completed_at", ended_},
                {"model_usage", {{model_, usage_}}},
                {"role_usage", json::object()},
                {"connection_limit_history", json::array()}};
    }

    std::string id_;
    std::string framework_;
    std::string model_;
    std::string arm_;
    bool simulated_;
    std::string created_;
    ZipWriter zip_;
    std::string summaries_;
    std::vector<std::string> sample_ids_;
    std::size_t valid_ = 0;
    std::map<std::string, Sum> sums_;
    std::map<std::string, std::int64_t> usage_;
    std::string started_;
    std::string ended_;
    std::set<std::string> versions_;
    std::set<std::string> images_;
    std::string judge_;
    bool judge_simulated_ = false;
};

class InspectExporter : public Exporter {
  public:
    explicit InspectExporter(OutputFiles& files) : files_(files) {}

    void add(const JudgedRun& run) override {
        const Record& record = run.record;
        std::unique_ptr<InspectLog>& log = logs_[record.framework + '\n' + record.model + '\n' + record.arm];
        if (!log) {
            log = std::make_unique<InspectLog>(files_, record, new_id(record));
        }
        log->add(run);
    }

    void finish() override {
        for (auto& [key, log] : logs_) {
            log->finish();
        }
    }

  private:
    // Without dashes, at which Inspect would split it. Different names may come to the same letters.
    std::string new_id(const Record& record) {
        std::string wanted = slug(record.framework + record.model + record.arm);
        std::erase(wanted, '-');
        std::string id = wanted;
        for (int number = 2; !ids_.insert(id).second; ++number) {
            id = wanted + "x" + std::to_string(number);
        }
        return id;
    }

    OutputFiles& files_;
    std::map<std::string, std::unique_ptr<InspectLog>> logs_;
    std::set<std::string> ids_;
};

}  // namespace

std::unique_ptr<Exporter> inspect_exporter(OutputFiles& files) {
    return std::make_unique<InspectExporter>(files);
}

}  // namespace pasb
