internal import APNS
internal import PushModel

/// Reads the recipients of a list. Belongs to one task.
struct ListReader {
  private let list: RecipientList
  /// Nil when all recipients get the same payload.
  private var renderer: TemplateRenderer?
  private var values = TemplateValues()
  private var pushes = PushChunk.Columns()
  private var unsent: [SendResult] = []
  private var tags: [Int: String] = [:]
  private var position = 0

  init(_ list: RecipientList, _ renderer: TemplateRenderer?) {
    (self.list, self.renderer) = (list, renderer)
  }

  /// Reads all recipients, each as soon as it comes.
  mutating func read<Recipients: AsyncSequence>(_ recipients: Recipients) async throws
  where Recipients.Element: RecipientConvertible {
    for try await recipient in recipients {
      take(recipient)
      if await !handOn() { return }
    }
  }

  /// Reads all recipients, many at a time.
  mutating func read<Recipients: Sequence>(_ recipients: Recipients) async
  where Recipients.Element: RecipientConvertible {
    for recipient in recipients {
      take(recipient)
      if pushes.count + unsent.count == PushChunk.capacity, await !handOn() { return }
    }
    _ = await handOn()
  }

  private mutating func take(_ element: some RecipientConvertible) {
    let recipient = element.recipient
    if let tag = recipient.tag { tags[position] = tag }
    var token: DeviceToken?
    do {
      let known = try recipient.token
      token = known
      try renderer?.render(recipient.variables, into: &pushes.payloads, &values)
      if renderer != nil { pushes.payloadEnds.append(pushes.payloads.count) }
      pushes.add(known, at: position)
    } catch {
      unsent.append(SendResult(token, at: position, Obstacle(recipient: error)))
    }
    position += 1
  }

  /// - Returns: false when the list has ended.
  private mutating func handOn() async -> Bool {
    defer {
      pushes.removeAll()
      (unsent, tags) = ([], [:])
    }
    return await list.add(pushes, unsent, tags)
  }
}
