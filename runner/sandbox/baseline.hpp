// The frozen clean state of a framework: what baselines/<framework>/baseline.json says its image holds, and whether an
// image still does.
#pragma once

#include <string>
#include <vector>

#include "model/adapter.hpp"
#include "model/change.hpp"
#include "sandbox/engine.hpp"

namespace pasb {

struct Baseline {
    std::string framework;
    std::string version;
    std::string image_id;
    std::vector<std::string> layers;  // diff ids, lowest (Debian packages) first
    Manifest manifest;                // of the agent's home
    std::string sha256;               // of the file
};

// Throw InputError naming the file and what is wrong with it.
Baseline read_baseline(const std::string& file);
void write_baseline(const std::string& file, const Baseline& baseline);

struct ObservedImage {
    Baseline baseline;
    Snapshot home;  // with contents
};

// What the image holds now. Starts nothing: a container is created, read and removed.
ObservedImage observe_image(const Engine& engine, const Adapter& adapter, const ImageInfo& image,
                            const std::string& owner, const Deadline& deadline);

struct BaselineCheck {
    std::vector<std::string> differences;  // an eval must not start; one line each
    std::vector<std::string> warnings;     // stand in every record
};

// The framework's own layers and the agent's home must be exactly the baseline's. The lowest layer holds Debian
// packages alone; a mirror that has moved on to a point release changes it, which is a warning, since no framework file
// and nothing that the agent reads differs.
BaselineCheck check_baseline(const Baseline& expected, const Baseline& observed);

}  // namespace pasb
