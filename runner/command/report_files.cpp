#include "command/report_files.hpp"

#include <algorithm>
#include <set>

#include "analysis/analysis.hpp"
#include "report/csv.hpp"
#include "report/json.hpp"
#include "report/markdown.hpp"
#include "report/page.hpp"
#include "report/run_row.hpp"
#include "report/run_story.hpp"

namespace pasb {
namespace {

// Which of the runs have a reader in the page, by index.
std::set<std::size_t> with_reader(const Study& study, std::size_t most) {
    std::set<std::size_t> chosen;
    const std::size_t share = std::max<std::size_t>(1, most / std::max<std::size_t>(1, study.combinations().size()));
    for (std::size_t begin = 0; begin < study.runs.size() && most > 0;) {
        std::size_t end = begin;  // runs are sorted by combination
        while (end < study.runs.size() && study.runs[end].model == study.runs[begin].model &&
               study.runs[end].framework == study.runs[begin].framework) {
            ++end;
        }
        const std::size_t here = study.runs.size() <= most ? end - begin : std::min(share, end - begin);
        for (std::size_t i = 0; i < here; ++i) {
            chosen.insert(begin + i * (end - begin) / here);
        }
        begin = end;
    }
    return chosen;
}

}  // namespace

Document document_of(const StudyFiles& files, const Settings& settings) {
    Document document = analyse(files.study(), files.raters());
    document.settings = settings;
    document.inputs = files.inputs();
    document.warnings.insert(document.warnings.end(), files.warnings().begin(), files.warnings().end());
    return document;
}

std::map<std::string, std::string> small_files(const Document& document, const StudyFiles& files) {
    std::map<std::string, std::string> made{{document_file, document_json(document)},
                                            {"report.md", document_markdown(document)},
                                            {digests_file, files.line_digests()}};
    for (const Table& table : document.tables) {
        made["tables/" + table.id + ".csv"] = table_csv(table);
    }
    return made;
}

void write_page(const Document& document, const StudyFiles& files, const std::function<void(std::string_view)>& sink) {
    const std::vector<RunFacts>& runs = files.study().runs;
    const std::set<std::size_t> readers = with_reader(files.study(), document.settings.readers);
    PageWriter page(sink, document.settings.out);
    page.begin(document);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const JudgedRun texts = files.texts(runs[i]);
        const Judgement* const judgement = texts.judgement ? &*texts.judgement : nullptr;
        const Annotation* const annotation = texts.annotation ? &*texts.annotation : nullptr;
        const RunRow row = run_row(texts.record, judgement, annotation);
        if (readers.contains(i)) {
            const nlohmann::json story = run_story(texts.record, judgement, annotation, &files.baseline_texts(runs[i]));
            page.add_run(row, &story);
        } else {
            page.add_run(row, nullptr);
        }
    }
    page.finish();
}

}  // namespace pasb
