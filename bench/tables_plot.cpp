// The plots of docs/benchmarks.md as SVG, by hand: two kinds of marks on logarithmic axes need no library.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "bench/tables_report.h"

namespace heddle::bench {

namespace {

constexpr const char* kOurs = "#1f6feb";
constexpr const char* kPublished = "#b0b7c3";
constexpr std::array kColours = {"#1f6feb", "#d1242f", "#1a7f37", "#9a6700", "#8250df", "#bf3989", "#0a7ea4", "#6e7781"};

std::string svg(double width, double height, const std::string& title, const std::string& body) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"10\" y=\"18\" font-size=\"13\" font-weight=\"bold\">{2}</text>\n{3}</svg>\n",
      width, height, title, body);
}

std::string text(double x, double y, const char* anchor, const std::string& what, const char* colour = "#24292f") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" fill=\"{}\">{}</text>\n", x, y, anchor, colour, what);
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, colour);
}

// From powers of ten to places on the page.
struct LogAxis {
  int low = 0, high = 1;
  double from = 0, to = 0;

  void cover(double value) {
    low = std::min(low, static_cast<int>(std::floor(std::log10(value))));
    high = std::max(high, static_cast<int>(std::ceil(std::log10(value))));
  }
  double at(double value) const { return from + (std::log10(value) - low) / (high - low) * (to - from); }
};

std::string powerText(int power) {
  if (power >= 6) return fmt::format("{:.0f} M", std::pow(10, power - 6));
  if (power >= 3) return fmt::format("{:.0f} k", std::pow(10, power - 3));
  return fmt::format("{:g}", std::pow(10, power));
}

// The results of one program under one model, by size: rows of several tables may be the same run.
using Family = std::map<double, const TableResult*>;

std::map<std::string, Family> families(const std::vector<TableResult>& results, std::uint64_t leastExecutions) {
  std::map<std::string, Family> all;
  for (const TableResult& result : results) {
    if (!result.complete() || result.run.executions < leastExecutions || result.run.perSecond() <= 0) continue;
    const std::string name =
        result.row->model == "rc11" ? result.row->family() : result.row->family() + ", " + result.row->model;
    all[name].emplace(result.row->number().value_or(0), &result);
  }
  return all;
}

std::optional<double> publishedRate(const TableResult& result) {
  if (!result.comparable() || result.row->published.seconds.value_or(0) <= 0) return {};
  return static_cast<double>(result.run.executions) / *result.row->published.seconds;
}

std::string curve(const Family& family, const LogAxis& y, const auto& x, const char* colour) {
  std::string points, marks;
  for (const auto& [size, result] : family) {
    const double cost = 1e6 / result->run.perSecond();
    points += fmt::format("{:.1f},{:.1f} ", x(size), y.at(cost));
    marks += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n", x(size), y.at(cost), colour);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.5\"/>\n", points, colour) + marks;
}

}  // namespace

std::string ratePlot(const std::vector<TableResult>& results) {
  constexpr double left = 170, width = 860, step = 26;
  const auto all = families(results, 1000);
  LogAxis axis{.low = 2, .high = 7, .from = left, .to = width - 60};
  for (const auto& [name, family] : all) {
    axis.cover(family.rbegin()->second->run.perSecond());
    if (const auto rate = publishedRate(*family.rbegin()->second)) axis.cover(*rate);
  }
  const double height = 60 + step * static_cast<double>(all.size());
  std::string body;
  for (int power = axis.low; power <= axis.high; ++power) {
    const double x = axis.at(std::pow(10, power));
    body += line(x, 34, x, height - 18, "#e1e4e8") + text(x, height - 5, "middle", powerText(power));
  }
  double y = 40;
  for (const auto& [name, family] : all) {
    const TableResult& result = *family.rbegin()->second;
    const auto bar = [&](double place, double thickness, double rate, const char* colour) {
      return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\"/>\n", left, place,
                         axis.at(rate) - left, thickness, colour);
    };
    const std::string model = result.row->model == "rc11" ? "" : ", " + result.row->model;
    body += text(left - 8, y + 13, "end", result.row->program + model) + bar(y, 11, result.run.perSecond(), kOurs);
    if (const auto rate = publishedRate(result)) body += bar(y + 12, 6, *rate, kPublished);
    y += step;
  }
  return svg(width, height, "Executions a second: ours (blue) and published (grey)", body);
}

std::string costPlot(const std::vector<TableResult>& results) {
  constexpr double left = 60, right = 560, width = 760, top = 40, bottom = 400;
  // What is smaller measures the clock; and one model is enough.
  std::map<std::string, Family> all = families(results, 200);
  std::erase_if(
      all, [](const auto& family) { return family.second.size() < 2 || family.second.begin()->second->row->model != "rc11"; });
  double most = 1;
  LogAxis axis{.low = -1, .high = 1, .from = bottom, .to = top};
  for (const auto& [name, family] : all) {
    most = std::max(most, family.rbegin()->first);
    for (const auto& [size, result] : family) axis.cover(1e6 / result->run.perSecond());
  }
  const auto x = [&](double size) { return left + size / most * (right - left); };
  std::string body;
  for (int power = axis.low; power <= axis.high; ++power) {
    const double y = axis.at(std::pow(10, power));
    body += line(left, y, right, y, "#e1e4e8") + text(left - 6, y + 4, "end", fmt::format("{:g} us", std::pow(10, power)));
  }
  for (double size = 0; size <= most; size += most > 40 ? 10 : 2) {
    body += text(x(size), bottom + 16, "middle", fmt::format("{:g}", size));
  }
  body += text((left + right) / 2, bottom + 32, "middle", "size of the program (its parameter)");
  std::size_t number = 0;
  for (const auto& [name, family] : all) {
    const char* const colour = kColours.at(number % kColours.size());
    const double place = top + 14 * static_cast<double>(number++);
    body += curve(family, axis, x, colour);
    body += line(right + 20, place - 4, right + 40, place - 4, colour) + text(right + 46, place, "start", name, colour);
  }
  const double height = std::max(bottom + 45, top + 14 * static_cast<double>(all.size()) + 10);
  return svg(width, height, "Cost of an execution as programs grow", body);
}

}  // namespace heddle::bench
