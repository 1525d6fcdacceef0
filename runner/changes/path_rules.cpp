#include "changes/path_rules.hpp"

#include <cstddef>

namespace pasb {
namespace {

// Only the last star has to be tried again: an earlier one that took less could not reach further than it did.
bool segment_matches(std::string_view glob, std::string_view name) {
    std::size_t g = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_name = 0;
    while (n < name.size()) {
        if (g < glob.size() && glob[g] == '*') {
            star = g++;
            star_name = n;
        } else if (g < glob.size() && (glob[g] == '?' || glob[g] == name[n])) {
            ++g;
            ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++star_name;
        } else {
            return false;
        }
    }
    while (g < glob.size() && glob[g] == '*') {
        ++g;
    }
    return g == glob.size();
}

std::vector<std::string_view> segments_of(std::string_view path) {
    std::vector<std::string_view> segments;
    std::size_t begin = 0;
    while (begin <= path.size()) {
        const std::size_t slash = path.find('/', begin);
        const std::size_t end = slash == std::string_view::npos ? path.size() : slash;
        segments.push_back(path.substr(begin, end - begin));
        begin = end + 1;
    }
    return segments;
}

// `home` and everything below it as a relative path; no value elsewhere. Home itself gives an empty path.
bool strip_home(std::string_view& path, std::string_view home) {
    while (home.size() > 1 && home.back() == '/') {
        home.remove_suffix(1);
    }
    if (home.empty() || !path.starts_with(home)) {
        return false;
    }
    const std::string_view rest = path.substr(home.size());
    if (!rest.empty() && rest.front() != '/') {
        return false;
    }
    path = rest.empty() ? rest : rest.substr(1);
    return true;
}

}  // namespace

bool glob_matches(std::string_view glob, std::string_view path) {
    if (glob.empty() || path.empty()) {
        return false;
    }
    const std::vector<std::string_view> globs = segments_of(glob);
    const std::vector<std::string_view> names = segments_of(path);
    const bool all_below = globs.back() == "**";
    std::size_t g = 0;
    std::size_t n = 0;
    std::size_t star = std::string_view::npos;
    std::size_t star_name = 0;
    while (n < names.size()) {
        if (g < globs.size() && globs[g] == "**") {
            star = g++;
            star_name = n;
        } else if (g < globs.size() && segment_matches(globs[g], names[n])) {
            ++g;
            ++n;
        } else if (star != std::string_view::npos) {
            g = star + 1;
            n = ++star_name;
        } else {
            return false;
        }
    }
    if (g == globs.size()) {
        return true;
    }
    // Only `**` may be left, and one at the end of the glob must have had a segment to stand for: it had none if it is
    // still unread.
    while (g < globs.size() && globs[g] == "**") {
        ++g;
    }
    return g == globs.size() && !all_below;
}

PathKind classify(std::string_view path, std::span<const PathRule> rules, std::string_view home) {
    std::string_view relative = path;
    std::string absolute;
    const bool given_absolute = path.starts_with('/');
    const bool below_home = given_absolute ? strip_home(relative, home) : true;
    if (given_absolute) {
        absolute = path;
    } else {
        absolute = home;
        if (!absolute.ends_with('/')) {
            absolute += '/';
        }
        absolute += path;
    }
    for (const PathRule& rule : rules) {
        const bool matches = rule.match.starts_with('/') ? glob_matches(rule.match, absolute)
                                                         : below_home && glob_matches(rule.match, relative);
        if (matches) {
            return rule.kind;
        }
    }
    return PathKind::unknown;
}

}  // namespace pasb
