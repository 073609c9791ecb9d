internal import APNS
internal import History
internal import JSONText
internal import PlainText
internal import PushModel

/// The figures of a page as JSON for its script: numbers where it draws, and the texts that it shows.
/// Texts of others are printable.
struct PageJSON {
  let figures: PageFigures
  let showsTokens: Bool
  /// In seconds since 1970.
  let madeAt: Int64

  var value: JSON {
    [
      "version": text(fanfareVersion), "madeAt": number(madeAt), "total": number(figures.total),
      "range": list(figures.times.range.map { [$0.lowerBound, $0.upperBound] } ?? [], number),
      "cards": list(cards) { [text($0.name), text($0.value)] },
      "outcomes": list(outcomes, json), "barWidth": text(span(figures.times.width)),
      "bars": list(figures.times.all) { start, bar in
        ["start": number(start), "counts": list(outcomes) { number(bar[$0] ?? 0) }]
      },
      "percentiles": text(percentiles),
      "latencies": list(figures.latencies.all) {
        ["name": text($0.name), "count": number($0.count)]
      },
      "reasons": list(figures.reasons, json), "otherReasons": number(figures.otherReasons),
      "showsTokens": JSON(.bool(showsTokens)), "rows": list(figures.rows, json),
    ]
  }

  private var cards: [(name: String, value: String)] {
    let accepted = figures.counts[.accepted] ?? 0
    let rows = [
      ("Pushes", grouped(figures.total)), ("Runs", grouped(figures.runs.count)),
      ("Accepted", figures.total > 0 ? share(accepted, of: figures.total) : nil),
      ("Not accepted", grouped(figures.total - accepted)),
      ("Median latency", figures.latencies.percentile(0.5).map(milliseconds)),
    ]
    return rows.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Those that came. Bars and rows refer to them by their place.
  private var outcomes: [Outcome] { Outcome.allCases.filter { figures.counts[$0] != nil } }

  private var percentiles: String {
    let shares = [("half within", 0.5), ("95 % within", 0.95), ("99 % within", 0.99)]
    return shares.compactMap { name, share in
      figures.latencies.percentile(share).map { "\(name) \(milliseconds($0))" }
    }.joined(separator: ", ")
  }

  private func json(_ outcome: Outcome) -> JSON {
    let count = figures.counts[outcome] ?? 0
    return [
      "name": text(outcome.rawValue), "words": text(outcome.words), "count": number(count),
      "share": text(share(count, of: figures.total)),
    ]
  }

  private func json(_ row: PageFigures.ReasonCount) -> JSON {
    let meaning = row.reason?.info?.meaning
    let cause = row.reason?.causes(of: row.facts).first
    return [
      "name": text(row.name), "count": number(row.count),
      "meaning": text(meaning ?? "fanfare does not know this reason."),
      "cause": cause?.text == meaning ? nil : text(cause?.text ?? ""),
      "fix": text(cause?.fix ?? ""),
    ]
  }

  private func json(_ row: PageFigures.Row) -> JSON {
    let push = row.push
    let answer = [push.response?.status.description, push.response?.reason?.rawValue]
    let cells = [
      push.response == nil ? "none" : answer.compactMap(\.self).joined(separator: " "),
      showsTokens ? push.token : shortToken(push.token), push.run.description, row.environment,
      "\(push.list):\(push.line)",
      push.latencyMicroseconds.map { milliseconds(Double($0) / 1000) } ?? "–",
      push.apnsID.description,
    ]
    return [
      "at": number(push.at), "outcome": number(outcomes.firstIndex(of: push.outcome) ?? 0),
      "cells": list(cells, text),
    ]
  }
}

private func text(_ text: String) -> JSON { JSON(.string(text.printable)) }

private func number(_ number: some BinaryInteger) -> JSON { JSON(.number(JSONNumber(number))) }

private func list<Element>(_ elements: [Element], _ json: (Element) -> JSON) -> JSON {
  JSON(.array(elements.map(json)))
}

/// A time in the largest unit that it is whole numbers of.
private func span(_ seconds: Int64) -> String {
  let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
  let unit = units.first { seconds % $0.0 == 0 } ?? (1, "second")
  return counted(Int(seconds / unit.0), unit.1)
}
