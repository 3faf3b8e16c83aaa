package org.understudy.replication.core;

/**
 * Keys of the state that begin alike: in whose share they count, and how many of them there may be.
 *
 * @param prefix with which they begin, up to their first slash and with it; empty for those without a slash. One that has
 *     no slash itself names that one key
 * @param payer in whose share they count
 * @param parent for {@link Payer#PARENT}: the prefix of the key that they belong to; else empty
 * @param subject what they are, in the plural; for {@link #most}
 * @param most of them in the group; 0 for no limit in number
 * @param limit the name of that limit, for those who can change it
 */
public record KeyKind(String prefix, Payer payer, String parent, String subject, long most, String limit) {
  /** So many times a limit is never reached, whatever shares there are; see {@link Shares}. */
  public static final int REACH = 2;

  /** In whose share the bytes of a key count. */
  public enum Payer {
    /** The owner that created the key, whichever owner changes it later. */
    CREATOR,
    /** The owner that wrote the key last. */
    WRITER,
    /** Who pays for the key that it belongs to. An update of the group's own that makes it larger can be refused. */
    PARENT,
    /** No owner: the key is shared by all. */
    NOBODY
  }

  /** Keys that count in the share of their creator, limited in number. */
  public static KeyKind counted(String prefix, String subject, long most, String limit) {
    return new KeyKind(prefix, Payer.CREATOR, "", subject, most, limit);
  }

  /** Keys that count in the share of their last writer. */
  public static KeyKind written(String prefix) {
    return new KeyKind(prefix, Payer.WRITER, "", "", 0, "");
  }

  /** Parts of others: the key of the whole has the same name behind its own prefix. */
  public static KeyKind parts(String prefix, String parent) {
    return new KeyKind(prefix, Payer.PARENT, parent, "", 0, "");
  }

  /** Keys that are everybody's. */
  public static KeyKind common(String prefix) {
    return new KeyKind(prefix, Payer.NOBODY, "", "", 0, "");
  }

  /** The key that this one of this kind belongs to. */
  public String parentOf(String key) {
    int scope = KeyKinds.scope(key);
    int begin = scope + prefix.length();
    int end = key.indexOf('/', begin);
    return key.substring(0, scope) + parent + key.substring(begin, end < 0 ? key.length() : end);
  }
}
