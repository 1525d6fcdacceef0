// Files by descriptor: an owner that closes, and reading one whole. No streams, so that errors carry their reason.
#pragma once

#include <string>

namespace pasb {

class FileDescriptor {
  public:
    // Flags of open(2); O_CLOEXEC is added, so that no child process holds the file. -1 where it failed, with errno
    // set.
    FileDescriptor(const std::string& path, int flags, unsigned mode = 0644);
    ~FileDescriptor();
    FileDescriptor(const FileDescriptor&) = delete;
    FileDescriptor& operator=(const FileDescriptor&) = delete;

    [[nodiscard]] int number() const { return number_; }
    [[nodiscard]] bool is_open() const { return number_ >= 0; }

  private:
    int number_;
};

// Throws InputError that says why the file cannot be read.
std::string read_file(const std::string& path);

}  // namespace pasb
