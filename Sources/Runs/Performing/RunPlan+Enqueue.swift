internal import APNS
internal import PushModel
internal import Recipients
internal import Reporting
internal import SQLQueue
internal import Settings

// A run that is left to workers.
extension RunPlan {
  /// Adds the run to the queue, after all the checks that precede sending.
  ///
  /// - Parameter isUrgent: whether workers send it before all others.
  func enqueue(isUrgent: Bool) throws(Failure) -> Report {
    guard let history else { throw .conflict("--enqueue", "--no-history") }
    try recipients.refuse(message)
    let rows = try recipients.reader(message.values, lists, context)
    let credentials = try destination.credentialsForQueue(context)
    if !question.isEmpty {
      try history.check()
      try question.put(context)
    }
    let identity = origin.identity(given: message.apnsID, context.clock)
    return try Enqueue(outputs: outputs, history: history.name, context: context).run(rows) {
      () throws(Failure) in
      let record = try record(at: destination.server, as: nil, identity)
      let queue = try attempt(
        try Enqueuing.begin(
          record, credentials: credentials.text, isUrgent: isUrgent, at: history.location)
      ) { (error: HistoryError) in
        // Not `Failure.history`, whose fix may suggest sending without a history.
        Failure(error.sentence, fix: error.fix, cause: error)
      }
      let copies = ListCopies(queue.run, record, in: history.location, context)
      recipients.keep(copies)
      return Enqueue.Begun(
        queue: queue, lacksCopies: { recipients.lacksCopies },
        removeCopies: { recipients.remove(copies) })
    }
  }
}

extension Message {
  /// Extracts the row values that the payload needs; nil when all payloads are the same.
  var values: (any RowRendering)? { rendering.map { ValueRows(for: $0) } }
}
