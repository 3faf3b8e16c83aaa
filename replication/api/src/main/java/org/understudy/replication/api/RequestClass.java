package org.understudy.replication.api;

import java.util.Locale;

/** What routing distinguishes in a request: which replicas serve it depends on nothing else of it. */
public enum RequestClass {
  UPDATE,
  /** Opens, renews or closes a session. */
  SESSION,
  /** A read at {@link ReadLevel#LINEARIZABLE}. */
  LINEARIZABLE_READ,
  /** A read at {@link ReadLevel#SESSION}. */
  SESSION_READ,
  /** A read at {@link ReadLevel#LOCAL}. */
  LOCAL_READ;

  /** The class of a read at this level. */
  public static RequestClass of(ReadLevel level) {
    return switch (level) {
      case LINEARIZABLE -> LINEARIZABLE_READ;
      case SESSION -> SESSION_READ;
      case LOCAL -> LOCAL_READ;
    };
  }

  /** The name in a view on the wire: lower case, words joined by hyphens. */
  public String wireName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
