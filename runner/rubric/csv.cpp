#include "rubric/csv.hpp"

#include <algorithm>
#include <utility>

#include "model/errors.hpp"
#include "model/utf8.hpp"

namespace pasb {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
constexpr std::string_view guarded = "=+-@\t\r'";

// The separator that stands most often outside of quotes in the first row.
char separator_of(std::string_view text) {
    bool quoted = false;
    std::size_t commas = 0;
    std::size_t semicolons = 0;
    std::size_t tabs = 0;
    for (const char c : text) {
        quoted = (c == '"') != quoted;
        if (!quoted && (c == '\n' || c == '\r')) {
            break;
        }
        commas += !quoted && c == ',' ? 1U : 0U;
        semicolons += !quoted && c == ';' ? 1U : 0U;
        tabs += !quoted && c == '\t' ? 1U : 0U;
    }
    if (tabs > commas && tabs > semicolons) {
        return '\t';
    }
    return semicolons > commas ? ';' : ',';
}

class Reader {
  public:
    Reader(std::string_view text, const std::string& origin)
        : text_(text), origin_(origin), separator_(separator_of(text)) {}

    std::vector<CsvRow> run() {
        std::vector<CsvRow> rows;
        while (at_ < text_.size()) {
            CsvRow row = read_row();
            if (row.cells.size() > 1 || !row.cells.front().empty()) {
                rows.push_back(std::move(row));
            }
        }
        return rows;
    }

  private:
    CsvRow read_row() {
        CsvRow row;
        row.line = line_;
        while (true) {
            row.cells.push_back(at_ < text_.size() && text_[at_] == '"' ? read_quoted() : read_plain());
            if (at_ >= text_.size() || text_[at_] != separator_) {
                break;
            }
            ++at_;
        }
        end_row();
        return row;
    }

    [[nodiscard]] bool at_row_end() const { return at_ >= text_.size() || text_[at_] == '\n' || text_[at_] == '\r'; }

    void end_row() {
        if (at_ < text_.size()) {
            at_ += text_.substr(at_).starts_with("\r\n") ? 2U : 1U;
            ++line_;
        }
    }

    std::string read_plain() {
        const std::size_t begin = at_;
        while (!at_row_end() && text_[at_] != separator_) {
            ++at_;
        }
        return std::string(text_.substr(begin, at_ - begin));
    }

    std::string read_quoted() {
        const int begin_line = line_;
        std::string cell;
        for (++at_; at_ < text_.size(); ++at_) {
            if (text_[at_] != '"') {
                line_ += text_[at_] == '\n' ? 1 : 0;
                cell += text_[at_];
            } else if (text_.substr(at_ + 1).starts_with('"')) {
                cell += text_[++at_];
            } else {
                ++at_;
                if (!at_row_end() && text_[at_] != separator_) {
                    fail(line_, "text behind a closing quote; quotes inside of a cell must be doubled");
                }
                return cell;
            }
        }
        fail(begin_line, "a quote is opened and never closed");
    }

    [[noreturn]] void fail(int line, const std::string& what) const {
        throw InputError(origin_ + ":" + std::to_string(line) + ": " + what);
    }

    std::string_view text_;
    const std::string& origin_;
    char separator_;
    std::size_t at_ = 0;
    int line_ = 1;
};

void require_utf8(std::string_view text, const std::string& origin) {
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        line += text[at] == '\n' ? 1 : 0;
        if (next_code_point(text, at) < 0) {
            throw InputError(origin + ":" + std::to_string(line) + ": not UTF-8; save it as \"CSV UTF-8\"");
        }
    }
}

}  // namespace

std::vector<CsvRow> parse_csv(std::string_view text, const std::string& origin) {
    require_utf8(text, origin);
    text.remove_prefix(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
    return Reader(text, origin).run();
}

std::string csv_row(const std::vector<std::string>& cells) {
    std::string row;
    for (const std::string& cell : cells) {
        row += &cell == cells.data() ? "" : ",";
        if (cell.find_first_of(",;\t\"\r\n") == std::string::npos) {
            row += cell;
            continue;
        }
        row += '"';
        for (const char c : cell) {
            row += c == '"' ? "\"\"" : std::string(1, c);
        }
        row += '"';
    }
    return row + "\r\n";
}

std::string guard_formula(const std::string& text) {
    return !text.empty() && guarded.find(text.front()) != std::string_view::npos ? "'" + text : text;
}

std::string unguard_formula(const std::string& cell) {
    const bool is_guarded = cell.size() > 1 && cell[0] == '\'' && guarded.find(cell[1]) != std::string_view::npos;
    return is_guarded ? cell.substr(1) : cell;
}

}  // namespace pasb
