// The best ordinary library of Debian for a kernel: FFTW, OpenBLAS, Eigen.
#include <cblas.h>
#include <fftw3.h>

#include <Eigen/Dense>
#include <Eigen/QR>

#include "bench/kernels/contender.h"

namespace tessera::bench {

namespace {

using kernels::Job;
using kernels::Memory;

using FloatArray = Eigen::Map<Eigen::ArrayXf>;
using IntArray = Eigen::Map<Eigen::ArrayXi>;
template <class T>
using RowMatrix = Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

template <class T>
T* data(Memory& memory) {
    return write<T>(memory).data();
}
Eigen::Index elements(const Memory& memory) { return static_cast<Eigen::Index>(memory.bytes.size() / 4); }

Contender make(const char* name, const Job& job, std::function<void(std::vector<Memory>&)> run) {
    auto memories = std::make_shared<std::vector<Memory>>(job.memories);
    return {name, [=] { run(*memories); }, [=] { return *memories; }};
}

/// FFTW plans destroy what is in memory while they are made, so the inputs are put back.
Contender planned(const Job& job, int threads, const std::function<fftwf_plan(std::vector<Memory>&)>& plan) {
    fftwf_init_threads();
    fftwf_plan_with_nthreads(threads);
    auto memories = std::make_shared<std::vector<Memory>>(job.memories);
    std::shared_ptr<std::remove_pointer_t<fftwf_plan>> made(plan(*memories), fftwf_destroy_plan);
    for (size_t i = 0; i < memories->size(); ++i) {
        std::copy(job.memories[i].bytes.begin(), job.memories[i].bytes.end(), (*memories)[i].bytes.begin());
    }
    return {"FFTW", [=] { fftwf_execute(made.get()); }, [=] { return *memories; }};
}

Contender fft(const Job& job, int threads) {
    const int n = 1 << job.steps.front().uniforms[0][0];
    const int batch = static_cast<int>(job.memories[0].bytes.size() / 8) / n;
    return planned(job, threads, [=](std::vector<Memory>& memories) {
        return fftwf_plan_many_dft(1, &n, batch, data<fftwf_complex>(memories[0]), nullptr, 1, n,
                                   data<fftwf_complex>(memories[1]), nullptr, 1, n, FFTW_FORWARD, FFTW_MEASURE);
    });
}

Contender fftBatch(const Job& job, int threads) {
    const int groups = static_cast<int>(job.memories[0].bytes.size() / (256 * 32 * 4));
    return planned(job, threads, [=](std::vector<Memory>& memories) {
        const fftwf_iodim points{256, 32, 32};
        const fftwf_iodim many[2] = {{groups, 256 * 32, 256 * 32}, {32, 1, 1}};
        return fftwf_plan_guru_split_dft(1, &points, 2, many, data<float>(memories[0]), data<float>(memories[1]),
                                         data<float>(memories[2]), data<float>(memories[3]), FFTW_MEASURE);
    });
}

Contender multiplyBlas(const Job& job, int threads, int m, int n, int k) {
    openblas_set_num_threads(threads);
    return make("OpenBLAS", job, [=](std::vector<Memory>& memories) {
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1, data<float>(memories[0]), k,
                    data<float>(memories[1]), n, 0, data<float>(memories[2]), n);
    });
}

Contender qr(const Job& job) {
    return make("Eigen", job, [](std::vector<Memory>& memories) {
        using Matrix = Eigen::Matrix<float, 16, 16>;
        for (size_t at = 0; at < memories[0].bytes.size() / 4; at += 256) {
            Eigen::HouseholderQR<Matrix> decomposition(Eigen::Map<Matrix>(data<float>(memories[0]) + at));
            Eigen::Map<Matrix> q(data<float>(memories[1]) + at), r(data<float>(memories[2]) + at);
            q = decomposition.householderQ();
            r = decomposition.matrixQR().triangularView<Eigen::Upper>();
            // Householder leaves the signs of the diagonal open; the check wants them positive.
            for (int i = 0; i < 16; ++i) {
                if (r(i, i) < 0) r.row(i) *= -1, q.col(i) *= -1;
            }
        }
    });
}

}  // namespace

Contender library(std::string_view row, const Job& job, int threads) {
    if (row == "fft_32" || row == "fft_256" || row == "fft_4096") return fft(job, threads);
    if (row == "fft_batch") return fftBatch(job, threads);
    if (row == "qr") return qr(job);
    const auto size = [&](size_t i) { return static_cast<int>(job.steps.front().uniforms[0][i]); };
    if (row == "matrix_multiply" || row == "matrix_multiply_float") {
        return multiplyBlas(job, threads, size(0), size(1), size(2));
    }
    if (row == "matrix_multiply_tiled") return multiplyBlas(job, threads, size(0), size(0), size(0));
    if (row == "matrix_multiply_int") {
        return make("Eigen", job, [n = size(0)](std::vector<Memory>& memories) {
            RowMatrix<int> a(data<int>(memories[0]), n, n), b(data<int>(memories[1]), n, n);
            RowMatrix<int>(data<int>(memories[2]), n, n).noalias() = a * b;
        });
    }
    if (row == "vector_add" || row == "matrix_add_float") {
        return make("Eigen", job, [](std::vector<Memory>& m) {
            FloatArray(data<float>(m[2]), elements(m[2])) =
                FloatArray(data<float>(m[0]), elements(m[0])) + FloatArray(data<float>(m[1]), elements(m[1]));
        });
    }
    if (row == "matrix_add_int") {
        return make("Eigen", job, [](std::vector<Memory>& m) {
            IntArray(data<int>(m[2]), elements(m[2])) =
                IntArray(data<int>(m[0]), elements(m[0])) + IntArray(data<int>(m[1]), elements(m[1]));
        });
    }
    if (row == "transpose") {
        return make("Eigen", job, [rows = size(0), columns = size(1)](std::vector<Memory>& m) {
            RowMatrix<int>(data<int>(m[1]), columns, rows) = RowMatrix<int>(data<int>(m[0]), rows, columns).transpose();
        });
    }
    if (row == "reduction_sum") {
        return make("Eigen", job, [](std::vector<Memory>& m) {
            write<float>(m[1])[0] = FloatArray(data<float>(m[0]), elements(m[0])).sum();
        });
    }
    if (row == "reduction_dot") {
        openblas_set_num_threads(threads);
        return make("OpenBLAS", job, [](std::vector<Memory>& m) {
            write<float>(m[2])[0] =
                cblas_sdot(static_cast<int>(elements(m[0])), data<float>(m[0]), 1, data<float>(m[1]), 1);
        });
    }
    return {};
}

}  // namespace tessera::bench
