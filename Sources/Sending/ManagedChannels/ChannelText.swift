internal import APNS
internal import History
internal import JSONText
package import Reporting

// A channel in the output of commands.
extension ChannelEntry {
  /// The JSON members.
  package var json: [Report.Part] {
    [
      .json("channel", .text(id.text)), .json("bundleID", .text(app.text)),
      .json("environment", .text(server)), .json("storagePolicy", .number(policy?.rawValue)),
      .json("createdAt", .number(created)), .json("requestID", .text(requestID?.description)),
    ]
  }

  /// A row of 'channel list'.
  ///
  /// - Parameter isPlaced: whether there are columns for app and server.
  package func row(isPlaced: Bool) -> [Report.Part] {
    let place: [Report.Part] = [
      .text("bundle ID", StyledText(app.text)), .text("environment", StyledText(server)),
    ]
    return [.text("channel", .verbatim(id.text))] + (isPlaced ? place : []) + [
      .text("stores", StyledText(policy?.words ?? "-")),
      .text("created", created.map(moment) ?? "-"),
    ] + json
  }

  /// The rows of 'channel show'.
  package var facts: [Report.Part] {
    [
      .text("channel", .verbatim(id.text)), .text("bundle ID", StyledText(app.text)),
      .text("environment", StyledText(server)),
      .text("stores", StyledText(policy.map { "\($0.words) (policy \($0.rawValue))" } ?? "-")),
      .text("created", created.map(moment)),
      .text("request ID", requestID.map { .verbatim($0.description) }),
    ] + json
  }
}

extension StoragePolicy {
  /// The storage policy in a word or two.
  package var words: String {
    switch self {
    case .nothing: "nothing"
    case .latest: "the latest push"
    }
  }
}
