// Writes a zip archive member by member to a sink; the bytes are a function of the members alone. Reads none.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace pasb {

class ZipWriter {
  public:
    explicit ZipWriter(std::function<void(std::string_view)> sink);
    ~ZipWriter();
    ZipWriter(const ZipWriter&) = delete;
    ZipWriter& operator=(const ZipWriter&) = delete;

    // Throws std::runtime_error on trouble of the library; what the sink throws passes through.
    void add(const std::string& name, std::string_view content);
    // Writes the directory. Without it the archive cannot be read.
    void finish();

  private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
};

}  // namespace pasb
