/// The recipients that no pass of a run has read, because it was stopped before the end of its lists.
public struct UnreadRecipients: Sendable, Hashable {
  /// A row of a list.
  public struct Place: Sendable, Hashable {
    /// The list, as the user named it.
    public var list: String
    /// The line, from 1.
    public var line: Int

    /// A row of a list.
    public init(list: String, line: Int) {
      self.list = list
      self.line = line
    }
  }

  /// The last recipient that was read; nil when it is not known, or there was none.
  public var place: Place?
  /// About how many recipients follow; nil when it is not known, as for a pipe.
  public var count: Int?

  /// What follows a place.
  public init(after place: Place? = nil, count: Int? = nil) {
    self.place = place
    self.count = count
  }
}
