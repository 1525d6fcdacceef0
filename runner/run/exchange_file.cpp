#include "run/exchange_file.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>

#include "model/errors.hpp"
#include "wire/digest.hpp"

namespace pasb {
namespace {

using nlohmann::json;

struct CloseGzip {
    void operator()(gzFile file) const { gzclose(file); }
};
using Gzip = std::unique_ptr<std::remove_pointer_t<gzFile>, CloseGzip>;

std::string line_of(const Exchange& exchange) {
    const json value{{"chat", exchange.chat == Chat::first ? "first" : "follow-up"},
                     {"turn", exchange.turn},
                     {"in_turn", exchange.in_turn},
                     {"request", exchange.request},
                     {"response", exchange.response},
                     {"status", exchange.status},
                     {"error", exchange.error},
                     {"streamed", exchange.streamed},
                     {"attempts", exchange.attempts},
                     {"started_s", exchange.started_s},
                     {"seconds", exchange.seconds},
                     {"sent", exchange.sent},
                     {"tools_sha256", exchange.tools_sha256}};
    return value.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

void sync_file(const std::filesystem::path& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0 || ::fsync(file) != 0) {
        ::close(file);
        throw InputError(path.string() + ": cannot be written to disk: is it full?");
    }
    ::close(file);
}

std::string unpacked(const std::filesystem::path& file) {
    Gzip stream(gzopen(file.c_str(), "rb"));
    if (!stream) {
        throw InputError(file.string() + ": cannot be read");
    }
    std::string text;
    std::array<char, 64U << 10U> piece{};
    int got = 0;
    while ((got = gzread(stream.get(), piece.data(), piece.size())) > 0) {
        text.append(piece.data(), static_cast<std::size_t>(got));
    }
    // A file that ends early is an error only to gzclose.
    if (gzclose(stream.release()) != Z_OK || got < 0) {
        throw InputError(file.string() + ": is damaged: not a whole gzip file");
    }
    return text;
}

std::vector<json> parse_lines(const std::string& text, const std::filesystem::path& file) {
    std::vector<json> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        json value = json::parse(text.substr(at, end - at), nullptr, false);
        if (value.is_discarded()) {
            throw InputError(file.string() + ":" + std::to_string(lines.size() + 1) + ": is not JSON");
        }
        lines.push_back(std::move(value));
        at = end + 1;
    }
    return lines;
}

Exchange exchange_from(const json& line) {
    Exchange exchange;
    exchange.chat = line.at("chat") == "first" ? Chat::first : Chat::follow_up;
    exchange.turn = line.at("turn");
    exchange.in_turn = line.at("in_turn");
    exchange.request = line.at("request");
    exchange.response = line.at("response");
    exchange.status = line.at("status");
    exchange.error = line.at("error");
    exchange.streamed = line.at("streamed");
    exchange.attempts = line.at("attempts");
    exchange.started_s = line.at("started_s");
    exchange.seconds = line.at("seconds");
    exchange.sent = line.at("sent");
    exchange.tools_sha256 = line.at("tools_sha256");
    return exchange;
}

}  // namespace

nlohmann::json write_exchanges(const std::filesystem::path& out, const std::string& name,
                               const std::vector<Exchange>& exchanges) {
    const std::filesystem::path folder = out / "exchanges";
    std::filesystem::create_directories(folder);
    const std::filesystem::path target = folder / (name + ".jsonl.gz");
    const std::filesystem::path partial = folder / (name + ".jsonl.gz.partial");
    Gzip file(gzopen(partial.c_str(), "wb6"));
    if (!file) {
        throw InputError(partial.string() + ": cannot be written");
    }
    Sha256 digest;
    for (const Exchange& exchange : exchanges) {
        const std::string line = line_of(exchange);
        digest.add(line);
        if (gzwrite(file.get(), line.data(), static_cast<unsigned>(line.size())) != static_cast<int>(line.size())) {
            throw InputError(partial.string() + ": cannot be written: is the disk full?");
        }
    }
    if (gzclose(file.release()) != Z_OK) {
        throw InputError(partial.string() + ": cannot be written: is the disk full?");
    }
    sync_file(partial);
    std::filesystem::rename(partial, target);
    return {{"file", "exchanges/" + name + ".jsonl.gz"}, {"sha256", digest.hex()}, {"count", exchanges.size()}};
}

std::vector<nlohmann::json> read_exchanges(const std::filesystem::path& file) {
    return parse_lines(unpacked(file), file);
}

ExchangeFile load_exchanges(const std::filesystem::path& file) {
    const std::string text = unpacked(file);
    ExchangeFile loaded{{}, sha256_hex(text)};
    for (const json& line : parse_lines(text, file)) {
        try {
            loaded.exchanges.push_back(exchange_from(line));
        } catch (const json::exception& error) {
            throw InputError(file.string() + ":" + std::to_string(loaded.exchanges.size() + 1) +
                             ": no exchange: " + error.what());
        }
    }
    return loaded;
}

}  // namespace pasb
