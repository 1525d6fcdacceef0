// A file of sealed JSON lines (judgements, annotations) that only grows. Whoever opens it must hold the folder's lock.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>

#include "run/line_file.hpp"

namespace pasb {

// Calls `each` with every whole line of the file, in order; an absent file has none. Returns the offset behind the last
// whole line. Throws InputError with file and line where a line is no sealed object (a byte has changed), and where
// `each` throws one.
std::uint64_t read_sealed(const std::filesystem::path& file, const std::function<void(const nlohmann::json&)>& each);

class SealedFile {
  public:
    // Created where it is absent; a torn last line is set aside. Throws as read_sealed.
    SealedFile(const std::filesystem::path& file, const std::function<void(const nlohmann::json&)>& each);

    // Seals the object and appends it; on disk when it returns. From any thread. Throws InputError.
    void append(const nlohmann::json& object);

    [[nodiscard]] const std::filesystem::path& torn_file() const { return torn_file_; }  // empty: nothing was torn

  private:
    std::filesystem::path torn_file_;
    std::mutex mutex_;
    std::unique_ptr<LineWriter> lines_;
};

}  // namespace pasb
