#include "tests/egl/wayland/compositor.h"

#include <sys/socket.h>
#include <unistd.h>
#include <wayland-server.h>

#include <atomic>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>
#include <utility>

namespace egltest {

struct Compositor::State {
    wl_display* display = wl_display_create();
    wl_client* client = nullptr;
    int clientEnd = -1;
    std::atomic<bool> stop = false;
    std::mutex mutex;  ///< of what follows
    std::vector<ShownFrame> frames;
    std::vector<std::function<void()>> tasks;
    bool keepsBuffers = false, keepsCallbacks = false;
    std::thread thread;  ///< all calls of the server's library are made in it

    void run() {
        wl_event_loop* loop = wl_display_get_event_loop(display);
        while (!stop) {
            wl_display_flush_clients(display);
            wl_event_loop_dispatch(loop, 5);
            std::vector<std::function<void()>> now;
            {
                const std::lock_guard lock(mutex);
                now.swap(tasks);
            }
            for (const auto& task : now) task();
        }
        wl_display_destroy_clients(display);
        wl_display_destroy(display);
    }
};

namespace {

/// What a surface's next commit shows.
struct Surface {
    Compositor::State* state = nullptr;
    wl_resource* buffer = nullptr;
    std::vector<wl_resource*> callbacks{};
    ShownFrame next{};
};

Surface& surfaceOf(wl_resource* resource) { return *static_cast<Surface*>(wl_resource_get_user_data(resource)); }

void destroy(wl_client*, wl_resource* resource) { wl_resource_destroy(resource); }

void attach(wl_client*, wl_resource* resource, wl_resource* buffer, int32_t x, int32_t y) {
    Surface& surface = surfaceOf(resource);
    surface.buffer = buffer;
    surface.next.moved = {x, y};
}

void damage(wl_client*, wl_resource* resource, int32_t x, int32_t y, int32_t width, int32_t height) {
    surfaceOf(resource).next.damage.push_back({x, y, width, height});
}

void damageBuffer(wl_client*, wl_resource* resource, int32_t x, int32_t y, int32_t width, int32_t height) {
    surfaceOf(resource).next.bufferDamage.push_back({x, y, width, height});
}

void askForFrame(wl_client* client, wl_resource* resource, uint32_t callback) {
    surfaceOf(resource).callbacks.push_back(wl_resource_create(client, &wl_callback_interface, 1, callback));
}

void commit(wl_client*, wl_resource* resource) {
    Surface& surface = surfaceOf(resource);
    wl_shm_buffer* memory = surface.buffer != nullptr ? wl_shm_buffer_get(surface.buffer) : nullptr;
    if (memory == nullptr) return;
    ShownFrame frame = std::exchange(surface.next, {});
    frame.width = wl_shm_buffer_get_width(memory), frame.height = wl_shm_buffer_get_height(memory);
    frame.format = wl_shm_buffer_get_format(memory);
    frame.buffer = wl_resource_get_id(surface.buffer);
    frame.pixels.resize(static_cast<size_t>(frame.width) * static_cast<size_t>(frame.height));
    wl_shm_buffer_begin_access(memory);
    const auto* from = static_cast<const char*>(wl_shm_buffer_get_data(memory));
    for (int y = 0; y < frame.height; ++y)
        std::memcpy(frame.pixels.data() + static_cast<ptrdiff_t>(y) * frame.width,
                    from + static_cast<ptrdiff_t>(y) * wl_shm_buffer_get_stride(memory),
                    static_cast<size_t>(frame.width) * sizeof(uint32_t));
    wl_shm_buffer_end_access(memory);
    const std::lock_guard lock(surface.state->mutex);
    surface.state->frames.push_back(std::move(frame));
    if (!surface.state->keepsBuffers) wl_buffer_send_release(surface.buffer);
    surface.buffer = nullptr;
    if (surface.state->keepsCallbacks) return;
    for (wl_resource* callback : std::exchange(surface.callbacks, {})) {
        wl_callback_send_done(callback, 0);
        wl_resource_destroy(callback);
    }
}

void createSurface(wl_client* client, wl_resource* compositor, uint32_t id) {
    static const struct wl_surface_interface kTable = [] {
        struct wl_surface_interface table{};
        table.destroy = destroy;
        table.attach = attach;
        table.damage = damage;
        table.frame = askForFrame;
        table.set_opaque_region = table.set_input_region = [](wl_client*, wl_resource*, wl_resource*) {};
        table.commit = commit;
        table.set_buffer_transform = table.set_buffer_scale = [](wl_client*, wl_resource*, int32_t) {};
        table.damage_buffer = damageBuffer;
        return table;
    }();
    auto* state = static_cast<Compositor::State*>(wl_resource_get_user_data(compositor));
    wl_resource* surface = wl_resource_create(client, &wl_surface_interface, wl_resource_get_version(compositor), id);
    wl_resource_set_implementation(
        surface, &kTable, std::make_unique<Surface>(Surface{.state = state}).release(),
        [](wl_resource* resource) { std::unique_ptr<Surface>(&surfaceOf(resource)).reset(); });
}

void bindCompositor(wl_client* client, void* state, uint32_t version, uint32_t id) {
    static const struct wl_compositor_interface kTable = [] {
        struct wl_compositor_interface table{};
        table.create_surface = createSurface;
        return table;
    }();
    wl_resource* compositor = wl_resource_create(client, &wl_compositor_interface, static_cast<int>(version), id);
    wl_resource_set_implementation(compositor, &kTable, state, nullptr);
}

}  // namespace

Compositor::Compositor(int version) : state_(std::make_unique<State>()) {
    State& state = *state_;
    wl_display_init_shm(state.display);
    wl_global_create(state.display, &wl_compositor_interface, version, &state, bindCompositor);
    int ends[2] = {-1, -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
        state.clientEnd = ends[0];
        state.client = wl_client_create(state.display, ends[1]);
    }
    state.thread = std::thread([&state] { state.run(); });
}

Compositor::~Compositor() {
    state_->stop = true;
    state_->thread.join();
}

int Compositor::socket() const { return state_->clientEnd; }

std::vector<ShownFrame> Compositor::frames() {
    const std::lock_guard lock(state_->mutex);
    return state_->frames;
}

void Compositor::keepBuffers() {
    const std::lock_guard lock(state_->mutex);
    state_->keepsBuffers = true;
}

void Compositor::keepCallbacks() {
    const std::lock_guard lock(state_->mutex);
    state_->keepsCallbacks = true;
}

void Compositor::drop() {
    std::promise<void> done;
    {
        const std::lock_guard lock(state_->mutex);
        state_->tasks.emplace_back([&] {
            wl_client_destroy(state_->client);
            done.set_value();
        });
    }
    done.get_future().wait();
}

}  // namespace egltest
