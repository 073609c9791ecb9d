// Of several things that are asked for one after the other, the last one counts.

export class Latest {
  #last = null;

  /**
   * What an answer resolves to; undefined, for its failure too, if something else was asked for meanwhile.
   */
  async of(answer) {
    this.#last = answer;
    try {
      const value = await answer;
      return this.#last === answer ? value : undefined;
    } catch (error) {
      if (this.#last === answer) throw error;
      return undefined;
    }
  }

  /** What was asked for is not wanted any more. */
  drop() { this.#last = null; }
}
