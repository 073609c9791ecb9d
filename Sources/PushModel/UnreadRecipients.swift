/// The recipients that no pass of a run has read, because it stopped before the end of its lists.
public struct UnreadRecipients: Sendable, Hashable {
  /// A row of a list.
  public struct Place: Sendable, Hashable {
    /// The list, as the user named it.
    public var list: String
    /// The line, from 1.
    public var line: Int

    /// Creates the place of a row.
    public init(list: String, line: Int) {
      self.list = list
      self.line = line
    }
  }

  /// The last recipient that was read; nil when unknown, or when none was read.
  public var place: Place?
  /// The approximate number of recipients that follow; nil when unknown, as for a pipe.
  public var count: Int?

  /// Creates the rest after a place.
  public init(after place: Place? = nil, count: Int? = nil) {
    self.place = place
    self.count = count
  }
}
