package org.understudy.replication.core.limit;

/**
 * The kind of all state keys with a prefix: which owner pays for their bytes, and how many of them may exist.
 *
 * @param prefix up to the first slash, inclusive; empty for keys without a slash. A prefix without a slash is one whole key
 * @param payer the owner whose share pays for them
 * @param parent for {@link Payer#PARENT}: the prefix of the key that they belong to; otherwise empty
 * @param subject what they are, in the plural, for messages about {@link #max}
 * @param max keys of this kind in the group; 0 for no limit
 * @param limit the name of that limit in messages to operators
 */
public record KeyKind(String prefix, Payer payer, String parent, String subject, long max, String limit) {
  /** A limit that no group reaches, whatever the shares are; see {@link Shares}. */
  public static final int REACH = 2;

  /** The owner whose share pays for the bytes of a key. */
  public enum Payer {
    /** The owner that created the key, also when another owner changes it later. */
    CREATOR,
    /** The owner that wrote the key last. */
    WRITER,
    /** The owner that pays for the parent key. An internal update that makes the key larger can be refused. */
    PARENT,
    /** No owner: all share the key. */
    NOBODY
  }

  /** Keys that their creator pays for, limited in number. */
  public static KeyKind counted(String prefix, String subject, long max, String limit) {
    return new KeyKind(prefix, Payer.CREATOR, "", subject, max, limit);
  }

  /** Keys that their last writer pays for. */
  public static KeyKind written(String prefix) {
    return new KeyKind(prefix, Payer.WRITER, "", "", 0, "");
  }

  /** Parts of a parent key, which has the same name behind its own prefix. */
  public static KeyKind parts(String prefix, String parent) {
    return new KeyKind(prefix, Payer.PARENT, parent, "", 0, "");
  }

  /** Keys without an owner. */
  public static KeyKind common(String prefix) {
    return new KeyKind(prefix, Payer.NOBODY, "", "", 0, "");
  }

  /** Returns the parent of a key of this kind. */
  public String parentOf(String key) {
    int scope = KeyKinds.scope(key);
    int begin = scope + prefix.length();
    int end = key.indexOf('/', begin);
    return key.substring(0, scope) + parent + key.substring(begin, end < 0 ? key.length() : end);
  }
}
