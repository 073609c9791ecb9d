internal import APNS
internal import JSONText
internal import Synchronization

/// What the control channel answers to a line.
enum ControlAnswer: Hashable {
  struct Counts: Hashable {
    var requests: Int
    var processed: Int
    var connections: Int
  }

  /// It is done; with the counts if they were asked for.
  case done(Counts?)
  /// Nothing was done.
  case refused(ControlRequest.Refusal)

  /// Does what a line asks for.
  init(to line: ControlLines.Line, _ context: ConnectionContext) {
    do throws(ControlRequest.Refusal) {
      let request = try ControlRequest(line)
      context.carryOut(request)
      self = .done(request.wantsCounts ? context.counts : nil)
    } catch {
      self = .refused(error)
    }
  }

  /// Writes it as a line of JSON.
  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.key("ok")
    switch self {
    case .done(let counts):
      json.bool(true)
      if let counts { Self.write(counts, to: &json) }
    case .refused(.notUnderstood(let message)):
      json.bool(false)
      json.member("message", message)
    case .refused(.badScript(let problems)):
      json.bool(false)
      Self.write(problems, to: &json)
    }
    json.endObject()
    json.endLine()
  }

  private static func write(_ counts: Counts, to json: inout JSONWriter) {
    json.member("requests", counts.requests)
    json.member("processed", counts.processed)
    json.member("connections", counts.connections)
  }

  private static func write(_ problems: [Problem], to json: inout JSONWriter) {
    json.key("problems")
    json.beginArray()
    for problem in problems {
      json.beginObject()
      if let column = problem.column { json.member("column", column) }
      json.member("path", problem.place.description)
      json.member("message", problem.message)
      json.member("fix", problem.fix)
      json.endObject()
    }
    json.endArray()
  }
}

extension ConnectionContext {
  fileprivate var counts: ControlAnswer.Counts {
    ControlAnswer.Counts(
      requests: requests.load(ordering: .relaxed), processed: processed.load(ordering: .relaxed),
      connections: connections.load(ordering: .relaxed))
  }

  fileprivate func carryOut(_ request: ControlRequest) {
    change { behavior in
      let scripted = request.script.map(behavior.playing) ?? behavior
      return request.clock.map(scripted.showing) ?? scripted
    }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ key: String, _ text: String) {
    self.key(key)
    string(text)
  }

  fileprivate mutating func member(_ key: String, _ number: Int) {
    self.key(key)
    integer(number)
  }
}
