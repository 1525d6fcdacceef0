// Judged runs to the files of other tools, one run at a time, so that memory does not grow with the runs' texts. Opens
// no file itself: the command does.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "exports/export_scores.hpp"
#include "exports/rates.hpp"

namespace pasb {

using Sink = std::function<void(std::string_view bytes)>;

class OutputFiles {
  public:
    virtual ~OutputFiles() = default;
    // A new file under a relative name with slashes. Its sink is valid as long as this object.
    virtual Sink open(const std::string& name) = 0;
};

class Exporter {
  public:
    virtual ~Exporter() = default;
    virtual void add(const JudgedRun& run) = 0;
    // Without it the files are cut. Throws InputError when there is nothing to write.
    virtual void finish() = 0;
    // False when something that was to be checked (JUnit thresholds) failed; known after finish().
    [[nodiscard]] virtual bool passed() const { return true; }
};

// runs.csv and turns.csv: RFC 4180, and no cell that a spreadsheet would take for a formula.
std::unique_ptr<Exporter> csv_exporter(OutputFiles& files);

// README.md (dataset card), data/runs.jsonl and data/turns.jsonl for Hugging Face `datasets`.
std::unique_ptr<Exporter> hf_exporter(OutputFiles& files);

// One Inspect AI log (.eval) for each combination of framework, model and arm.
std::unique_ptr<Exporter> inspect_exporter(OutputFiles& files);

// junit.xml; passed() says whether every threshold held.
std::unique_ptr<Exporter> junit_exporter(OutputFiles& files, std::vector<Threshold> thresholds);

}  // namespace pasb
