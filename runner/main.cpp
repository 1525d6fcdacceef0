// The command line of pasb: words and numbers into options. What a command does is in command/.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "command/commands.hpp"
#include "model/errors.hpp"

namespace {

using namespace pasb;

struct Arguments {
    CommonOptions common;
    EvalOptions eval;
    std::string flush = "paper";
    std::string out = "out";
    std::string run;
    bool exchanges = false;
    bool all = false;
    bool check = false;
    DoctorOptions doctor;
    ReportOptions report;
    JudgeOptions judge;
    AnnotateOptions annotate;
    AgreementOptions agreement;
    ExportOptions exports;
    std::vector<std::string> image_names;
};

void add_common(CLI::App& command, CommonOptions& common) {
    command.add_option("--engine", common.engine, "podman, docker or unix:///path; default: the first that answers");
    command.add_option("--also", common.also, "further folder with adapters/, images/ and baselines/ (repeatable)");
}

void add_eval(CLI::App& app, Arguments& arguments, int& code) {
    CLI::App* const command = app.add_subcommand("eval", "run tasks on frameworks with a model");
    EvalOptions& eval = arguments.eval;
    command->add_option("--tasks", eval.tasks, "task files or folders; default: configs/tasks")->delimiter(',');
    command->add_option("--framework", eval.frameworks, "frameworks, comma-separated; default: hermes,openclaw")
        ->delimiter(',');
    command->add_option("--model", eval.model, "entry of configs/models.yaml, sim:NAME, or any id of $OPENAI_BASE_URL")
        ->default_val("sim:mixed");
    command->add_option("--out", arguments.out, "output folder; an unfinished eval in it goes on")->default_val("out");
    command->add_option("--limit", eval.limit, "balanced subset of this many tasks; 0: all")->default_val(0);
    command->add_option("--jobs", eval.jobs, "runs at once; 0: one a core")->default_val(0)->check(CLI::Range(0, 64));
    command->add_option("--attempts", eval.attempts, "attempts at a run before it counts as invalid")
        ->default_val(3)
        ->check(CLI::Range(1, 20));
    command->add_option("--flush", arguments.flush, "paper or settled")->default_val("paper");
    command->add_option("--seed", eval.seed, "part of the runs' ids")->default_val(0);
    add_common(*command, arguments.common);
    command->callback([&arguments, &code] {
        arguments.eval.out = arguments.out;
        arguments.eval.flush = flush_policy_from(arguments.flush);
        arguments.eval.engine = arguments.common.engine;
        if (arguments.eval.tasks.empty()) {
            arguments.eval.tasks = {ProjectFiles({}).root() + "/configs/tasks"};
        }
        if (arguments.eval.frameworks.empty()) {
            arguments.eval.frameworks = {"hermes", "openclaw"};
        }
        code = eval_command(arguments.eval, arguments.common);
    });
}

void add_images(CLI::App& app, Arguments& arguments, int& code) {
    CLI::App* const command = app.add_subcommand("images", "build, list, verify and freeze the frameworks' images");
    command->require_subcommand(1);
    const auto add = [&](const char* name, const char* what, ImagesAction action) {
        CLI::App* const sub = command->add_subcommand(name, what);
        sub->add_option("names", arguments.image_names, "images; default: all");
        add_common(*sub, arguments.common);
        sub->callback(
            [&arguments, &code, action] { code = images_command(action, arguments.image_names, arguments.common); });
    };
    add("build", "make sure that the engine has each image", ImagesAction::build);
    add("list", "images of this project in the engine", ImagesAction::list);
    add("verify", "compare images with baselines/", ImagesAction::verify);
    add("freeze", "accept what the images hold as the new baselines", ImagesAction::freeze);
}

void add_report(CLI::App& app, Arguments& arguments, int& code) {
    CLI::App* const report = app.add_subcommand("report", "tables, figures and a page from the files of evals");
    ReportOptions& options = arguments.report;
    report->add_option("folders", options.folders, "OUT folders of evals")->required();
    report->add_option("--out", options.out, "folder for the report; default: report/ in the only folder");
    report->add_option("--judge", options.judge, "whose judgements; needed where there are several");
    report->add_option("--annotator", options.annotator, "whose annotations; needed where there are several");
    report->add_option("--seed", options.seed, "of bootstrap and permutations")->default_val(1);
    report->add_option("--readers", options.readers, "most runs whose whole story stands in the page")
        ->default_val(2000);
    report->add_flag("--print", options.print, "print report.md as well");
    report->callback([&arguments, &code] { code = report_command(arguments.report); });

    CLI::App* const verify =
        app.add_subcommand("verify", "derive every number of a report again and check what it was made from");
    verify->add_option("folder", arguments.out, "OUT folder of an eval, or a report's own folder")->required();
    verify->add_option("--also", arguments.common.also, "further folder with adapters/ and baselines/ (repeatable)");
    verify->callback([&arguments, &code] { code = verify_command(arguments.out, arguments.common); });
}

void add_work(CLI::App& command, Arguments& arguments, AssessOptions& work, std::int64_t& max_requests) {
    command.add_flag("--check", arguments.check, "only look whether the model is known and its key is set");
    command.add_option("--out", arguments.out, "output folder of an eval")->default_val("out");
    command.add_option("--repeats", work.repeats, "results a run, side by side")
        ->default_val(1)
        ->check(CLI::Range(1, 100));
    command.add_option("--jobs", work.jobs, "runs at once; the model's max_concurrent holds as well")
        ->default_val(4)
        ->check(CLI::Range(1, 64));
    command.add_option("--max-requests", max_requests, "stop before one more is asked; 0: no limit")
        ->default_val(0)
        ->check(CLI::NonNegativeNumber);
    command.add_flag("--again-unscored", work.again_unscored, "make again what is there without scores or labels");
}

struct SheetOptions {
    std::string& export_file;
    std::string& import_file;
    std::size_t& sample;
    std::uint64_t& seed;
};

void add_sheet(CLI::App& command, const SheetOptions& sheet) {
    CLI::Option* const exported =
        command.add_option("--export", sheet.export_file, "write a sheet for people: FILE.jsonl or FILE.csv");
    command.add_option("--import", sheet.import_file, "take over a sheet that people filled in")->excludes(exported);
    command.add_option("--sample", sheet.sample, "with --export: this many runs, drawn by --seed; 0: all")
        ->default_val(0);
    command.add_option("--seed", sheet.seed, "of the sample")->default_val(0);
}

void add_judge(CLI::App& app, Arguments& arguments, int& code) {
    JudgeOptions& judge = arguments.judge;
    CLI::App* const command = app.add_subcommand("judge", "score the valid runs of an eval, by a model or by people");
    command->add_option("--judge", judge.judge,
                        "sim:lexical (simulated), an entry of configs/models.yaml, any id of $OPENAI_BASE_URL; with "
                        "--import: who filled the file in");
    add_work(*command, arguments, judge.work, judge.max_requests);
    command
        ->add_option("--limit-unscored", judge.limit_unscored,
                     "exit code 3 when a larger share of the judgements has a call without scores")
        ->default_val(0.05)
        ->check(CLI::Range(0.0, 1.0));
    add_sheet(*command, {judge.export_file, judge.import_file, judge.sample, judge.seed});
    command->callback([&arguments, &code] {
        arguments.judge.work.out = arguments.out;
        arguments.judge.check = arguments.check;
        code = judge_command(arguments.judge);
    });
}

void add_annotate(CLI::App& app, Arguments& arguments, int& code) {
    AnnotateOptions& annotate = arguments.annotate;
    CLI::App* const command = app.add_subcommand(
        "annotate", "label the first chats and notes of an eval's valid runs, by a model or by people");
    command->add_option("--annotator", annotate.annotator,
                        "sim:lexical (simulated), an entry of configs/models.yaml, any id of $OPENAI_BASE_URL; with "
                        "--import: who filled the file in");
    add_work(*command, arguments, annotate.work, annotate.max_requests);
    command
        ->add_option("--limit-unlabelled", annotate.limit_unlabelled,
                     "exit code 3 when a larger share of the annotations has no labels")
        ->default_val(0.05)
        ->check(CLI::Range(0.0, 1.0));
    add_sheet(*command, {annotate.export_file, annotate.import_file, annotate.sample, annotate.seed});
    command->callback([&arguments, &code] {
        arguments.annotate.work.out = arguments.out;
        arguments.annotate.check = arguments.check;
        code = annotate_command(arguments.annotate);
    });
}

void add_agreement(CLI::App& app, Arguments& arguments, int& code) {
    CLI::App* const command =
        app.add_subcommand("agreement", "people against judges, judges and annotators among themselves and repeated");
    AgreementOptions& options = arguments.agreement;
    command->add_option("folders", options.folders, "OUT folders of evals")->required();
    command->add_option("--reference", options.reference, "compare with this person, judge or annotator alone");
    command->add_option("--rated", options.rated, "compare this one alone");
    command->add_option("--to", options.to_dir, "folder to write to; default: agreement/ in the only folder");
    command->add_option("--seed", options.seed, "of the bootstrap")->default_val(1);
    command->callback([&arguments, &code] { code = agreement_command(arguments.agreement); });
}

void add_others(CLI::App& app, Arguments& arguments, int& code) {
    CLI::App* const doctor = app.add_subcommand("doctor", "check engine, limits, images, model and disk");
    doctor->add_option("--model", arguments.doctor.model, "also ask this model for an answer and a tool call");
    doctor->add_option("--framework", arguments.doctor.frameworks, "frameworks; default: hermes,openclaw")
        ->delimiter(',');
    doctor->add_option("--out", arguments.doctor.out, "output folder")->default_val("out");
    add_common(*doctor, arguments.common);
    doctor->callback([&arguments, &code] {
        if (arguments.doctor.frameworks.empty()) {
            arguments.doctor.frameworks = {"hermes", "openclaw"};
        }
        code = doctor_command(arguments.doctor, arguments.common);
    });

    CLI::App* const show = app.add_subcommand("show", "one run's story with its evidence");
    show->add_option("run", arguments.run, "run id, or its beginning; without one: the list of runs");
    show->add_option("--out", arguments.out, "output folder")->default_val("out");
    show->add_flag("--exchanges", arguments.exchanges, "with every model request's last message and answer");
    show->callback([&arguments, &code] { code = show_command(arguments.out, arguments.run, arguments.exchanges); });

    CLI::App* const clean = app.add_subcommand("clean", "remove containers that dead runners left");
    clean->add_flag("--all", arguments.all, "also those of living runners");
    add_common(*clean, arguments.common);
    clean->callback([&arguments, &code] { code = clean_command(arguments.common, arguments.all); });
}

void add_export(CLI::App& app, Arguments& arguments, int& code) {
    CLI::App* const command = app.add_subcommand("export", "judged runs as CSV, Inspect log, JUnit XML or dataset");
    ExportOptions& options = arguments.exports;
    command->add_option("folder", options.folder, "output folder of an eval")->required();
    command->add_option("--to", options.to, "csv, inspect, junit or hf")->required();
    command->add_option("-o,--to-dir", options.to_dir, "folder to write to; files of the same name are replaced")
        ->required();
    command->add_option("--judge", options.judge, "whose judgements; default: the only judge's");
    command->add_option("--annotator", options.annotator, "whose annotations; default: the only annotator's");
    command->add_option("--fail-over", options.fail_over, "NAME=PERCENT (junit, repeatable): a higher rate fails");
    command->callback([&arguments, &code] { code = export_command(arguments.exports); });
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("pasb: does a personal agent turn a user's claim into guidance that outlives the chat?");
    app.require_subcommand(1);
    app.set_version_flag("--version", PASB_VERSION);
    Arguments arguments;
    int code = exit_code::ok;
    add_eval(app, arguments, code);
    add_images(app, arguments, code);
    add_report(app, arguments, code);
    add_judge(app, arguments, code);
    add_annotate(app, arguments, code);
    add_agreement(app, arguments, code);
    add_others(app, arguments, code);
    add_export(app, arguments, code);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? exit_code::ok : exit_code::bad_input;
    } catch (const InputError& error) {
        std::fprintf(stderr, "pasb: %s\n", error.what());
        code = exit_code::bad_input;
    } catch (const EngineError& error) {
        std::fprintf(stderr, "pasb: %s\n", error.what());
        code = exit_code::engine;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pasb: unexpected: %s\n", error.what());
        code = exit_code::unexpected;
    }
    return code;
}
