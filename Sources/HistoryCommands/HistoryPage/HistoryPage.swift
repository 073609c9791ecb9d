internal import APNS
internal import HTTP2
internal import History
internal import JSONText
internal import PlainText
internal import PushModel
internal import Reporting
internal import Settings

/// Pushes of the history as a self-contained page, without network or other files. Its script draws
/// the figures, which it contains as JSON.
struct HistoryPage {
  let figures: PageFigures
  let showsTokens: Bool
  /// In seconds since 1970.
  let madeAt: Int64
  /// Marks the page's own style and script; nothing else may run.
  let nonce: String
  /// Notes on missing figures, a sentence each.
  var notes: [String] = []
}

extension HistoryPage {
  /// A page made now.
  init(figures: PageFigures, showsTokens: Bool, _ context: Context) {
    let nonce = (0..<2).map { _ in String(context.clock.random(), radix: 16) }.joined()
    self.init(figures: figures, showsTokens: showsTokens, madeAt: context.now, nonce: nonce)
  }

  /// The document. Even if data leaked into the markup, it could neither run nor load anything.
  var text: String {
    // The figures come last, because their text could look like a placeholder.
    Self.files.replacing("{{nonce}}", with: nonce).replacing("{{figures}}", with: embedded)
  }

  /// The files of the folder `Web` in one: each replaces its name in braces in an earlier one.
  private static let files = Embedded.web.reduce("{{index.html}}") { page, file in
    page.replacing("{{\(file.name)}}", with: file.text)
  }

  /// The figures. `<` is escaped, so that no text can end the script element.
  private var embedded: String {
    data.encodedString().split(separator: "<", omittingEmptySubsequences: false)
      .joined(separator: "\\u003c")
  }
}

extension HistoryPage {
  /// The figures: numbers for the script to draw, and texts to show. Foreign text is made
  /// printable.
  private var data: JSON {
    [
      "version": shown(fanfareVersion), "madeAt": .number(madeAt), "total": .number(figures.total),
      "range": list(figures.times.range.map { [$0.lowerBound, $0.upperBound] } ?? []) {
        .number($0)
      },
      "cards": list(cards) { [shown($0.name), shown($0.value)] }, "notes": list(notes, shown),
      "about": list(about) { [shown($0.name), list($0.values, shown)] },
      "outcomes": list(outcomes, json), "barWidth": shown(span(figures.times.width)),
      "bars": list(figures.times.all) { start, bar in
        ["start": .number(start), "counts": list(outcomes) { .number(bar[$0] ?? 0) }]
      },
      "percentiles": shown(percentiles),
      "latencies": list(figures.latencies.all) {
        ["name": shown($0.name), "count": .number($0.count)]
      },
      "reasons": list(figures.reasons, json), "otherReasons": .number(figures.otherReasons),
      "showsTokens": .flag(showsTokens), "rows": list(figures.rows, json),
    ]
  }

  /// The subjects of the pushes: app, notification, environment and run.
  private var about: [(name: String, values: [String])] {
    let rows = [
      ("App", "Apps", figures.apps), ("Notification", "Notifications", figures.notifications),
      ("Environment", "Environments", figures.environments), ("Run", "Runs", figures.runNames),
    ]
    return rows.filter { !$0.2.names.isEmpty }.map { one, several, subjects in
      let more = subjects.hasOthers ? ["and others"] : []
      return (subjects.names.count > 1 ? several : one, subjects.names + more)
    }
  }

  private var cards: [(name: String, value: String)] {
    let accepted = figures.all.tally.accepted
    let rows = [
      ("Pushes", grouped(figures.total)),
      ("Runs", figures.knowsRuns ? grouped(figures.runs.count) : nil),
      ("Accepted", figures.total > 0 ? share(accepted) : nil),
      ("Not accepted", grouped(figures.total - accepted)),
      ("Median latency", figures.all.latency.percentile(0.5).map(milliseconds)),
    ]
    return rows.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The outcomes that occurred. Bars and rows refer to them by index.
  private var outcomes: [Outcome] { Outcome.allCases.filter { figures.all.tally[$0] > 0 } }

  private var percentiles: String {
    let shares = [("half within", 0.5), ("95% within", 0.95), ("99% within", 0.99)]
    return shares.compactMap { name, share in
      figures.all.latency.percentile(share).map { "\(name) \(milliseconds($0))" }
    }.joined(separator: ", ")
  }

  private func share(_ count: Int) -> String {
    percent(Double(count) / Double(max(figures.total, 1)))
  }

  private func json(_ outcome: Outcome) -> JSON {
    let count = figures.all.tally[outcome]
    return [
      "name": shown(outcome.rawValue), "words": shown(outcome.words), "count": .number(count),
      "share": shown(share(count)),
    ]
  }

  private func json(_ row: PageFigures.ReasonTotal) -> JSON {
    let meaning = row.reason?.info?.meaning
    let cause = row.reason?.causes(of: row.facts).first
    return [
      "name": shown(row.name), "count": .number(row.count),
      "meaning": shown(meaning ?? "fanfare does not know this reason."),
      "cause": cause?.text == meaning ? nil : shown(cause?.text ?? ""),
      "fix": shown(cause?.fix ?? ""),
    ]
  }

  private func json(_ row: PageFigures.Row) -> JSON {
    let push = row.push
    let none = row.skippedFor.isEmpty ? "none" : row.skippedFor.joined(separator: " ")
    let cells = [
      push.response == nil ? none : push.answer,
      push.recipient(showsToken: showsTokens),
      figures.knowsRuns ? push.run.description : "–", row.environment,
      "\(push.list):\(push.line)",
      push.latency ?? "–", push.apnsID.description,
    ]
    return [
      "at": .number(push.at), "outcome": .number(outcomes.firstIndex(of: push.outcome) ?? 0),
      "cells": list(cells, shown),
    ]
  }
}

private func shown(_ text: String) -> JSON { JSON(.string(text.printable)) }

private func list<Element>(_ elements: [Element], _ json: (Element) -> JSON) -> JSON {
  JSON(.array(elements.map(json)))
}

/// A time in the largest unit that divides it evenly.
private func span(_ seconds: Int64) -> String {
  let units: [(Int64, String)] = [(86_400, "day"), (3600, "hour"), (60, "minute")]
  let unit = units.first { seconds % $0.0 == 0 } ?? (1, "second")
  return counted(Int(seconds / unit.0), unit.1)
}
