// report.html: one file that asks for nothing from anywhere. Written as a stream: the document first, then a line and
// perhaps a story a run, so that no more than a chunk of runs is ever in memory.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "report/document.hpp"
#include "report/run_row.hpp"

namespace pasb {

class PageWriter {
  public:
    using Sink = std::function<void(std::string_view)>;

    // `out` is the folder with the records, for the commands that the page names.
    PageWriter(Sink sink, std::string out);

    // Call in this order: once, any number of times, once. What the sink throws passes through.
    void begin(const Document& document);
    void add_run(const RunRow& row, const nlohmann::json* story);  // no story: the line says how to see the run
    void finish();

    static constexpr std::size_t rows_in_chunk = 2000;
    static constexpr std::size_t stories_in_chunk = 40;
    static constexpr std::size_t chunk_bytes = 4'000'000;  // a chunk of long stories ends earlier

  private:
    void add_story(const nlohmann::json& story);
    void end_rows();
    void end_stories();

    Sink sink_;
    std::string out_;
    std::string rows_;     // the open chunk: JSON without brackets
    std::string stories_;  // likewise
    std::size_t rows_open_ = 0;
    std::size_t stories_open_ = 0;
    std::size_t story_chunks_ = 0;
    std::size_t runs_ = 0;
    std::size_t readers_ = 0;
};

}  // namespace pasb
