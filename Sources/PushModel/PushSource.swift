/// A source of a run's recipients, which yields them in order, a chunk at a time.
public protocol PushSource: ~Copyable, SendableMetatype {
  /// The counts of the lines read so far.
  var counts: RecipientCounts { get }
  /// The part of the lists that is read.
  var extent: ListExtent { get }
  /// Returns the next chunk; nil at the end.
  ///
  /// - Throws: `ListError` when reading a list fails.
  mutating func next() throws(ListError) -> PushChunk?
}
