// Writes a page of synthetic test data for tests/page/page_test.py: every kind of figure, texts that try to break out
// of the page, as many runs as asked for. Measures nothing and says so in its title.
//
//   page_sample OUT.html RUNS READERS [RECORDS.jsonl]
//
// With RECORDS the runs are those of the file (READERS of them with a reader) and only figures and tables are
// synthetic.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "report/page.hpp"
#include "report/run_story.hpp"

namespace pasb {
namespace {

const std::string hostile =
    "<script>window.broken=1</script></script><!--<img src=x onerror=\"window.broken=1\"> &amp; \"' "
    "\x1b[31mred\x1b[0m \xE2\x80\xAEoverride\xE2\x80\xA8line |pipe| =1+1";

// A deterministic share between 0 and 1 for synthetic numbers.
double share_of(std::size_t a, std::size_t b) {
    return static_cast<double>((a * 37 + b * 61 + a * b * 13) % 89) / 100;
}

Estimate estimate_of(double value, std::size_t n) {
    Estimate estimate;
    estimate.value = value;
    estimate.numerator = value * static_cast<double>(n);
    estimate.denominator = n;
    estimate.clusters = n / 4;
    estimate.wilson.interval = Interval{value - 0.05, value + 0.06};
    estimate.bootstrap.interval = Interval{value - 0.08, value + 0.09};
    estimate.cluster_robust.reason = "one base item only";
    return estimate;
}

Figure figure_of(const std::string& id, FigureKind kind, std::size_t labels, const std::vector<std::string>& names) {
    Figure figure;
    figure.id = id;
    figure.title = "Synthetic " + std::string(to_string(kind)) + " over " + std::to_string(labels) + " labels";
    figure.about = "Numbers made up by tests/page/page_sample to try the drawing. Each bar or dot is a share of runs.";
    figure.kind = kind;
    figure.x_title = kind == FigureKind::scatter ? "Runs that saved the claim" : "Correction turns";
    figure.x_unit = Unit::share;
    figure.y_title = "Downstream failure";
    for (std::size_t s = 0; s < names.size(); ++s) {
        Series series{names.at(s), {}};
        for (std::size_t l = 0; l < labels; ++l) {
            Point point;
            point.label = labels > 12 ? "framework-" + std::to_string(l % 2) + " / some-model-" + std::to_string(l / 2)
                                      : "label " + std::to_string(l);
            point.x = share_of(l, s);
            point.y =
                kind == FigureKind::stacked_bars ? 1.0 / static_cast<double>(names.size()) : share_of(s + 1, l + 2);
            if (kind != FigureKind::stacked_bars) {
                point.interval = Interval{std::max(*point.y - 0.08, 0.0), std::min(*point.y + 0.06, 1.0)};
            }
            point.detail = "12 of 48 runs";
            if (l == 2 && s == 0) {
                point.y.reset();
                point.interval.reset();
                point.reason = "nothing was judged in this group";
            }
            series.points.push_back(point);
        }
        figure.series.push_back(series);
    }
    return figure;
}

Table table_of() {
    Table table;
    table.id = "rates";
    table.title = "Synthetic failure rates";
    table.about = "Made up; the first row's name is hostile.";
    table.columns = {{"name", "Name", Unit::text},         {"runs", "Runs", Unit::count},
                     {"failure", "Failure", Unit::share},  {"excess", "Persistent sycophancy", Unit::difference},
                     {"score", "Mean score", Unit::score}, {"p", "p", Unit::p_value}};
    for (std::size_t i = 0; i < 8; ++i) {
        const double value = share_of(i, 5);
        Estimate excess = estimate_of(value - 0.3, 48);
        excess.p_value = 0.0004 * static_cast<double>(i * i * i);
        table.rows.push_back({i == 0 ? hostile : "group " + std::to_string(i), 48.0 * static_cast<double>(i + 1),
                              estimate_of(value, 48),
                              i == 3 ? Cell(NotAvailable{"no run of this group saved"}) : Cell(excess), 1 + 4 * value,
                              0.0004 * static_cast<double>(i * i * i)});
    }
    table.remarks = {"A remark with " + hostile};
    return table;
}

Document document_of() {
    Document document;
    document.title = "Synthetic test data: no measurement";
    document.simulated = true;
    document.simulations = {"model sim:adopter", "judge sim:lexical"};
    document.judge = "sim:lexical, repeat 1";
    document.measured = {"Synthetic runs of two made-up frameworks, to try this page."};
    document.found = {"Nothing: every number here is made up, +12.4 pp included.", "Hostile text: " + hostile};
    document.facts = {{"Runs", "1,600"}, {"Frameworks", "hermes, openclaw"}, {"Hostile", hostile}};
    document.warnings = {"This is test data. " + hostile};
    const std::vector<std::string> two{"Hermes-Agent", "OpenClaw"};
    document.figures = {
        figure_of("bars", FigureKind::grouped_bars, 6, two),
        figure_of("stack", FigureKind::stacked_bars, 5, {"session-only", "user profile", "memory", "skill"}),
        figure_of("dots", FigureKind::dots, 32, {"saved", "session-only"}),
        figure_of("one", FigureKind::dots, 8, {""}),
        figure_of("scatter", FigureKind::scatter, 10, two),
        figure_of("lines", FigureKind::lines, 6, {"a", "b", "c", "d"})};
    document.figures.front().series.front().points.front().label = hostile;
    document.tables = {table_of()};
    document.inputs = {{"records.jsonl", 123456, 20, std::string(64, 'a')}};
    return document;
}

Task task_of(std::size_t i) {
    Task task;
    task.task_id = "PRF-syn-" + std::to_string(i / 16) + "__task-" + std::to_string(i % 16);
    task.base_item_id = "PRF-syn-" + std::to_string(i / 16);
    task.family = static_cast<Family>(i / 16 % 3);
    task.scenario = static_cast<Scenario>(i / 4 % 4);
    task.delivery = static_cast<Delivery>(i % 4);
    task.domain = "finance_legal";
    task.claim = "Synthetic claim " + std::to_string(i / 16) + " " + (i % 50 == 0 ? hostile : "about a made-up matter");
    task.ground_truth_stance = "It is made up.";
    task.context_facts = {"The user is synthetic."};
    task.carries = {5, 1, 1, 2, 1};
    return task;
}

std::vector<TurnRecord> chat_of(int turns, const std::string& text) {
    std::vector<TurnRecord> chat;
    for (int turn = 1; turn <= turns; ++turn) {
        chat.push_back({turn, "Question " + std::to_string(turn) + ": " + text, "Answer: " + text, 1.25, 2});
    }
    return chat;
}

Record record_of(std::size_t i) {
    Record record;
    record.run_id = "synthetic-" + std::to_string(i);
    record.task = task_of(i);
    record.framework = i % 2 == 0 ? "hermes" : "openclaw";
    record.framework_version = "0";
    record.model = "sim:model-" + std::to_string(i / 2 % 16);
    record.simulated = true;
    record.valid = i % 11 != 3;
    record.invalid_reason = record.valid ? "" : "turn-failed";
    record.invalid_detail = record.valid ? "" : "made up " + hostile;
    record.saved = i % 3 != 0;
    record.destination = record.saved ? "memory" : "session-only";
    const std::string text = i % 50 == 0 ? hostile : "synthetic text " + std::to_string(i * 2654435761U % 100003);
    record.first_chat = chat_of(first_chat_turns, text);
    record.follow_up = chat_of(follow_up_turns, text);
    NoteRecord note;
    note.path = "notes/MEMORY.md";
    note.kind = PathKind::memory;
    note.change = i % 4 == 1 ? ChangeType::modified : ChangeType::added;
    note.text = "# Notes\n" + record.task.claim + "\n" + text;
    note.holds_claim = record.saved;
    note.score = record.saved ? 0.8 : 0.1;
    note.span_begin = 8;
    note.span_end = 8 + record.task.claim.size();
    record.notes = {note};
    record.write_attempts = {{1, "memory", "memory", true, true}};
    record.cut = {{"proven", record.valid}, {"reason", ""}, {"requests_checked", 6}, {"crossed", {"notes/MEMORY.md"}}};
    record.shown = {{"automatic", record.saved}, {"by_tool", false}, {"notes", nlohmann::json::array()}};
    record.warnings = {"synthetic: " + hostile};
    return record;
}

Judgement judgement_of(const Record& record, std::size_t i) {
    Judgement judgement;
    judgement.run_id = record.run_id;
    judgement.judge = "sim:lexical";
    judgement.simulated = true;
    for (std::size_t a = 0; a < judgement.answers.size(); ++a) {
        const auto score = [&](std::size_t m) { return static_cast<int>(1 + (i * 7 + a * 3 + m * 5) % 5); };
        judgement.answers.at(a).scores = {score(0), score(1), score(2), score(3)};
        judgement.answers.at(a).rationale = "Synthetic reason. " + (i % 50 == 0 ? hostile : std::string());
    }
    if (i % 7 == 5) {
        judgement.cross_turn.unscored = "no-json";
    } else {
        judgement.cross_turn.scores = {static_cast<int>(1 + i % 5), static_cast<int>(1 + i / 5 % 5)};
    }
    return judgement;
}

void add(PageWriter& page, const Record& record, std::size_t i, bool reader) {
    const Judgement judgement = judgement_of(record, i);
    const Judgement* const judged = i % 13 == 6 ? nullptr : &judgement;
    const nlohmann::json story = reader ? run_story(record, judged, nullptr) : nlohmann::json();
    page.add_run(run_row(record, judged, nullptr), reader ? &story : nullptr);
}

int write_page(const char* path, std::size_t runs, std::size_t readers, const char* records) {
    std::ofstream file(path, std::ios::binary);
    PageWriter page(
        [&](std::string_view bytes) { file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())); },
        "out/synthetic");
    page.begin(document_of());
    std::ifstream lines(records == nullptr ? "" : records);
    std::string line;
    for (std::size_t i = 0; i < runs; ++i) {
        if (records == nullptr) {
            add(page, record_of(i), i, i < readers);
        } else if (std::getline(lines, line)) {
            add(page, record_from_json(nlohmann::json::parse(line)), i, i < readers);
        }
    }
    page.finish();
    file.close();
    return file ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace pasb

int main(int argc, char** argv) {
    if (argc != 4 && argc != 5) {
        std::cerr << "usage: page_sample OUT.html RUNS READERS [RECORDS.jsonl]\n";
        return EXIT_FAILURE;
    }
    return pasb::write_page(argv[1], std::stoul(argv[2]), std::stoul(argv[3]), argc == 5 ? argv[4] : nullptr);
}
