#include "command/assess_report.hpp"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <memory>

#include "command/commands.hpp"
#include "model/bytes.hpp"

namespace pasb {
namespace {

std::string number(const char* format, double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), format, value);
    return text.data();
}

std::string row(const std::string& label, const std::string& value) {
    return "  " + label + std::string(label.size() < 26 ? 26 - label.size() : 1, ' ') + value + "\n";
}

// What is still to do although the work has ended, or why there was none; empty when all is there.
std::string why_not_done(const AssessResult& result) {
    if (!result.endpoint_failure.empty()) {
        return "the endpoint fails again and again: " + terminal_text(result.endpoint_failure);
    }
    if (result.open > 0) {
        return "stopped at --max-requests: " + std::to_string(result.open) +
               " are still to do, the same command goes on from here";
    }
    if (result.wanted == 0) {
        return "no run is valid (" + std::to_string(result.runs_without_valid_attempt) +
               " have no valid attempt); `pasb show --out OUT` says why";
    }
    return {};
}

}  // namespace

std::string who(const std::string& role, const std::string& name, bool simulated) {
    return role + " " + terminal_text(name) + (simulated ? " (simulated " + role + ", not a language model)" : "");
}

AssessSink progress_sink(const std::string& what) {
    const bool terminal = ::isatty(STDERR_FILENO) == 1;
    const auto last_tenth = std::make_shared<std::size_t>(0);
    return [what, terminal, last_tenth](std::size_t done, std::size_t wanted, std::size_t unusable) {
        const std::size_t tenth = wanted == 0 ? 10 : done * 10 / wanted;
        if (!terminal && tenth == *last_tenth) {
            return;
        }
        *last_tenth = tenth;
        std::fprintf(stderr, "%s%zu/%zu %s, %zu without result%s", terminal ? "\r\x1b[K" : "", done, wanted,
                     what.c_str(), unusable, terminal && done < wanted ? "" : "\n");
        std::fflush(stderr);
    };
}

std::string summary_of(const AssessResult& result, const std::string& what, const std::string& without) {
    std::string text = row(what, std::to_string(result.made) + " now, " + std::to_string(result.before) +
                                     " before (skipped), " + std::to_string(result.open) + " still to do");
    text += row(without, std::to_string(result.unusable) + " of " + std::to_string(result.usable + result.unusable) +
                             " (" + number("%.1f %%", 100.0 * result.unusable_share()) + ")");
    for (const auto& [reason, count] : result.reasons) {
        text += row("  " + terminal_text(reason), std::to_string(count) + " calls");
    }
    text += row("runs without valid attempt", std::to_string(result.runs_without_valid_attempt) + " (left out)");
    text += row("requests", std::to_string(result.usage.requests));
    text += row("tokens", std::to_string(result.usage.prompt_tokens) + " in, " +
                              std::to_string(result.usage.completion_tokens) + " out");
    text += row("seconds", number("%.1f", result.seconds));
    return text;
}

int conclude(const AssessResult& result, const std::string& without, double limit) {
    if (!result.torn_file.empty()) {
        std::printf("a torn last line was put aside into %s\n", result.torn_file.c_str());
    }
    if (result.judges_itself) {
        std::printf("warning: it is itself an evaluated model here; take one of another family\n");
    }
    if (result.cancelled) {
        std::printf("interrupted: what is finished is kept, the same command goes on from here\n");
        return exit_code::interrupted;
    }
    if (result.unusable > 0) {
        std::printf("--again-unscored makes the %s ones again\n", without.c_str());
    }
    const bool too_many = result.unusable_share() > limit;
    if (too_many) {
        std::printf("the %s share is above the limit of %s\n", without.c_str(),
                    number("%.1f %%", 100.0 * limit).c_str());
    }
    const std::string undone = why_not_done(result);
    if (!undone.empty()) {
        std::fflush(stdout);  // so that it is the last line where both go to one place
        std::fprintf(stderr, "not done: %s\n", undone.c_str());
        return exit_code::not_done;
    }
    return too_many ? exit_code::too_many_unscored : exit_code::ok;
}

}  // namespace pasb
