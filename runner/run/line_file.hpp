// Files of lines that only grow (records, judgements, annotations), and small files that are there whole or not at all.
// Knows nothing of what a line holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "net/file.hpp"

namespace pasb {

// Keeps other runners out of a folder; the kernel frees the lock with the process, however that ends. Creates folder
// and lock file. Throws InputError when another process holds it.
class FolderLock {
  public:
    explicit FolderLock(const std::filesystem::path& folder);

  private:
    FileDescriptor file_;
};

// A line of a file: its text without the newline, its number from 1, and where it begins.
struct FileLine {
    std::string_view text;
    int number = 0;
    std::uint64_t offset = 0;  // bytes from the file's beginning
};

// Calls `each` with every whole line in order, in bounded memory; a last line without a newline is passed over. Returns
// the offset behind the last whole line. Throws InputError when the file cannot be read.
std::uint64_t for_each_line(const std::filesystem::path& file, const std::function<void(const FileLine&)>& each);

// The bytes of a file from `offset` on, fewer than `size` where it ends before or cannot be read.
std::string bytes_at(const std::filesystem::path& file, std::uint64_t offset, std::size_t size);

// Moves what follows the first `whole` bytes into <stem>.torn-<n>.jsonl beside the file and returns that name. Nothing
// is ever deleted. Throws InputError.
std::filesystem::path set_tail_aside(const std::filesystem::path& file, std::uint64_t whole);

// A file that is written piece by piece and is there whole or as it was before, also after a power failure.
class WholeFile {
  public:
    explicit WholeFile(std::filesystem::path file);  // writes beside it, in <file>.partial; throws InputError
    ~WholeFile();                                    // removes what was not finished
    WholeFile(const WholeFile&) = delete;
    WholeFile& operator=(const WholeFile&) = delete;
    void add(std::string_view piece);  // throws InputError when the disk does not take it
    void finish();                     // puts it in its place; throws InputError

  private:
    void flush();

    std::filesystem::path path_;
    std::filesystem::path partial_;
    FileDescriptor file_;
    std::string waiting_;
};

// The same for a text at hand.
void write_whole(const std::filesystem::path& file, std::string_view text);

// Appends whole lines. Not safe from several threads at once.
class LineWriter {
  public:
    explicit LineWriter(std::filesystem::path file);  // created where it is absent; throws InputError
    // On disk when it returns. Throws InputError when the disk does not take it, leaving no part of it.
    void append(std::string_view line);

  private:
    std::filesystem::path path_;
    FileDescriptor file_;
};

}  // namespace pasb
