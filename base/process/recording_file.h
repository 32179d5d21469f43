// A file that a process records into for as long as it lives, whatever ends it.
//
// It is FILE.PID.part until something in it is whole, so that what FILE held is not lost to a recording that comes to
// nothing. It then takes the name FILE, and from there on what is whole can be read under that name at any moment:
// nothing waits in the process, so that no signal, crash or _exit() takes it away. Where another process still records
// into FILE, this one takes FILE.PID, and says so. The child of a fork() has no part in its parent's recording.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera {

/// Used by one thread at a time. What goes wrong is said on standard error, once: nothing is recorded from then on.
class RecordingFile {
public:
    /// What is there under the name and is no file, as a pipe: it is refused, or written into as it is.
    enum class Devices : bool { Refused, Written };

    /// `variable`: what names the file, for messages. Links are followed.
    RecordingFile(const char* variable, const std::string& path, Devices devices = Devices::Refused);
    /// The file is left as it is.
    ~RecordingFile();
    RecordingFile(const RecordingFile&) = delete;
    RecordingFile& operator=(const RecordingFile&) = delete;

    /// False once it is finished or given up, and in the child of a fork().
    [[nodiscard]] bool isOpen() const;
    /// When it does not take all of it, the file is given up.
    void write(std::string_view bytes);
    /// All so far can be read without what may follow.
    void markWhole();
    /// All so far is whole, and nothing follows.
    void finish();
    /// Says why. What is whole stays, the rest is taken away.
    void giveUp(const char* why);

private:
    /// Empty, or why not.
    [[nodiscard]] std::string open(Devices devices);
    void takeName();
    void close();

    const char* const variable_;
    const pid_t process_;
    std::string path_, own_, partial_;  ///< FILE, FILE.PID, FILE.PID.part
    int file_ = -1;
    bool isDevice_ = false, isNamed_ = false;
    uint64_t size_ = 0, whole_ = 0;  ///< bytes
};

}  // namespace tessera
