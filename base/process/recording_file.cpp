#include "base/process/recording_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/process/report.h"
#include "base/process/signals.h"
#include "base/process/write_file.h"

namespace tessera {

namespace {

/// A lock that its process has until it ends, however it ends, and that the child of a fork() does not get.
struct flock wholeFile() {
    struct flock lock{};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    return lock;
}

/// Whether another process records into the file.
bool isRecordedInto(const std::string& path) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    struct flock lock = wholeFile();
    const bool isLocked = fcntl(file, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    ::close(file);
    return isLocked;
}

}  // namespace

RecordingFile::RecordingFile(const char* variable, const std::string& path, Devices devices)
    : variable_(variable), process_(getpid()), path_(path) {
    if (const std::string problem = open(devices); !problem.empty()) giveUp(problem.c_str());
}

std::string RecordingFile::open(Devices devices) {
    const auto why = [] { return std::string("cannot be written: ") + std::strerror(errno); };
    const WrittenPlace place = writtenPlace(path_);
    isDevice_ = !place.isReplaced;
    if (isDevice_ && devices == Devices::Refused) return "it is there and no file";
    if (isDevice_) {
        file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
        return file_ < 0 ? why() : "";
    }
    path_ = place.path;
    own_ = path_ + "." + std::to_string(process_);
    partial_ = own_ + ".part";
    file_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0) return why();
    struct flock lock = wholeFile();
    // On a file system without locks no process can tell another one of its own.
    if (fcntl(file_, F_SETLK, &lock) != 0 && (errno == EACCES || errno == EAGAIN)) {
        close();
        return "another process of the same number records into it";
    }
    return ftruncate(file_, 0) != 0 ? why() : "";
}

RecordingFile::~RecordingFile() { close(); }

bool RecordingFile::isOpen() const { return file_ >= 0 && process_ == getpid(); }

void RecordingFile::write(std::string_view bytes) {
    if (!isOpen()) return;
    const WriteSignalsBlocked noSignal;
    while (!bytes.empty()) {
        const ssize_t written = ::write(file_, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return giveUp((std::string("cannot be written: ") + std::strerror(errno)).c_str());
        size_ += static_cast<uint64_t>(written);
        bytes.remove_prefix(static_cast<size_t>(written));
    }
}

void RecordingFile::markWhole() {
    if (!isOpen()) return;
    whole_ = size_;
    if (!isNamed_) takeName();
}

void RecordingFile::takeName() {
    isNamed_ = true;
    if (isDevice_) return;
    // Where nothing has the name, one of two processes gets it that come at the same time.
    if (link(partial_.c_str(), path_.c_str()) == 0) return void(unlink(partial_.c_str()));
    const bool isTaken = isRecordedInto(path_);
    const std::string& name = isTaken ? own_ : path_;
    if (isTaken)
        report(Severity::Error, "%s: another process records into %s; this one's recording is %s", variable_,
               path_.c_str(), own_.c_str());
    if (std::rename(partial_.c_str(), name.c_str()) != 0)
        report(Severity::Error, "%s: %s cannot be written: %s; the recording is %s", variable_, name.c_str(),
               std::strerror(errno), partial_.c_str());
}

void RecordingFile::finish() {
    markWhole();
    if (!isOpen()) return;
    struct stat there{};
    const bool isGone = !isDevice_ && fstat(file_, &there) == 0 && there.st_nlink == 0;
    if (isGone)
        report(Severity::Error, "%s: %s: the recording is gone: it was removed, or another one has its name", variable_,
               path_.c_str());
    if (::close(std::exchange(file_, -1)) != 0)
        report(Severity::Error, "%s: %s cannot be written: %s", variable_, path_.c_str(), std::strerror(errno));
}

void RecordingFile::giveUp(const char* why) {
    const bool isKept = whole_ != 0 && !isDevice_;
    report(Severity::Error, "%s: %s: %s%s", variable_, path_.c_str(), why, isKept ? "; what is whole is kept" : "");
    if (!isOpen()) return;
    if (isKept)
        (void)!ftruncate(file_, static_cast<off_t>(whole_));
    else if (!isDevice_)
        (void)unlink(partial_.c_str());
    close();
}

void RecordingFile::close() {
    if (file_ >= 0) ::close(std::exchange(file_, -1));
}

}  // namespace tessera
