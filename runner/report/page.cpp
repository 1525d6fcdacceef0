#include "report/page.hpp"

#include <utility>

#include "report/html.hpp"
#include "report/pack.hpp"
#include "report/page_assets.hpp"
#include "report/page_parts.hpp"

namespace pasb {
namespace {

using nlohmann::json;

std::string json_text(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

// Base64 has no character that ends a script block.
std::string packed_block(const std::string& attributes, const std::string& items) {
    return "<script type=\"application/octet-stream;base64\" " + attributes + ">" + packed("[" + items + "]") +
           "</script>\n";
}

}  // namespace

PageWriter::PageWriter(Sink sink, std::string out) : sink_(std::move(sink)), out_(std::move(out)) {}

void PageWriter::begin(const Document& document) {
    sink_(page_head(document));
    sink_(page_overview(document));
    for (const Figure& figure : document.figures) {
        sink_((&figure == &document.figures.front() ? page_section_begin("figures", "Figures") : "") +
              page_figure(figure));
    }
    sink_(document.figures.empty() ? "" : "</section>\n");
    for (const Table& table : document.tables) {
        sink_((&table == &document.tables.front() ? page_section_begin("tables", "Tables") : "") + page_table(table));
    }
    sink_(document.tables.empty() ? "" : "</section>\n");
    sink_(page_inputs(document));
}

void PageWriter::add_run(const RunRow& row, const json* story) {
    json line = to_json(row);
    line.push_back(story == nullptr ? json(-1) : json(story_chunks_));
    line.push_back(story == nullptr ? json(-1) : json(stories_open_));
    rows_ += (rows_.empty() ? "" : ",") + json_text(line);
    ++runs_;
    ++rows_open_;
    if (story != nullptr) {
        add_story(*story);
    }
    if (rows_open_ == rows_in_chunk) {
        end_rows();
    }
}

void PageWriter::add_story(const json& story) {
    stories_ += (stories_.empty() ? "" : ",") + json_text(story);
    ++readers_;
    ++stories_open_;
    if (stories_open_ == stories_in_chunk || stories_.size() >= chunk_bytes) {
        end_stories();
    }
}

void PageWriter::end_rows() {
    if (rows_open_ > 0) {
        sink_(packed_block("class=\"rows\"", rows_));
    }
    rows_.clear();
    rows_open_ = 0;
}

void PageWriter::end_stories() {
    if (stories_open_ > 0) {
        sink_(packed_block("id=\"stories-" + std::to_string(story_chunks_) + "\"", stories_));
        ++story_chunks_;
    }
    stories_.clear();
    stories_open_ = 0;
}

void PageWriter::finish() {
    end_rows();
    end_stories();
    sink_(page_runs(runs_, readers_, out_));
    sink_("<script>" + std::string(page_script()) + "</script>\n</body>\n</html>\n");
}

}  // namespace pasb
