/// Where the recipients of a run come from, a chunk at a time and in order.
public protocol PushSource: ~Copyable, SendableMetatype {
  /// What became of the lines so far.
  var counts: RecipientCounts { get }
  /// How much of the lists is read.
  var extent: ListExtent { get }
  /// The next chunk; nil at the end.
  ///
  /// - Throws: `ListError` when a list cannot be read on.
  mutating func next() throws(ListError) -> PushChunk?
}
