package org.understudy.replication.api;

import java.util.ArrayList;
import java.util.List;

/**
 * What a client has seen: the highest version handle of each scope, at most {@value #MAX_SCOPES} of them. Immutable.
 *
 * <p>One client hands them to another, as an object or as a string, so that the other one's session reads show at least as
 * much. They belong to one group: the positions of another group mean nothing to it.
 *
 * <p>The string form is {@code 3.1235}, with further scopes behind slashes: {@code 3.1235/orders:2.17}. It has only
 * characters that may stand in a cookie, in a URL's query and in XML. It carries no proof: a client that takes one from
 * another client can get versions that do not exist. Under {@code group}, its requests are then rejected as {@code BadRequest}. Under
 * {@code primary-backup}, its reads get {@code NotReady} at the primary, and wait at a backup until the request's deadline.
 */
public final class VersionHandles {
  /** The most scopes that are kept. */
  public static final int MAX_SCOPES = 64;

  /** Of a client that has seen nothing. */
  public static final VersionHandles NONE = new VersionHandles(VersionHandle.INITIAL, List.of());

  private static final int MAX_TEXT = MAX_SCOPES * 106;

  private final VersionHandle group;
  /** Of other scopes, one each; what was seen last stands last. */
  private final List<VersionHandle> others;

  private VersionHandles(VersionHandle group, List<VersionHandle> others) {
    this.group = group;
    this.others = others;
  }

  /**
   * Reads what {@link #toString()} writes.
   *
   * @throws IllegalArgumentException when the text is anything else, names a scope twice, or names too many
   */
  public static VersionHandles parse(String text) {
    if (text.length() > MAX_TEXT) {
      throw new IllegalArgumentException("Version handles have at most " + MAX_TEXT + " characters.");
    }
    List<VersionHandle> handles = new ArrayList<>();
    for (String one : text.split("/", -1)) {
      VersionHandle handle = VersionHandle.parse(one);
      if (handle.isOfGroup() != handles.isEmpty()) {
        throw new IllegalArgumentException("Version handles must begin with the group's own; other scopes follow.");
      }
      if (handles.stream().anyMatch(before -> before.scope().equals(handle.scope()))) {
        throw new IllegalArgumentException("Version handles name the scope " + handle.scope() + " twice.");
      }
      handles.add(handle);
    }
    if (handles.size() > MAX_SCOPES) {
      throw new IllegalArgumentException("Version handles have at most " + MAX_SCOPES + " scopes.");
    }
    return new VersionHandles(handles.get(0), List.copyOf(handles.subList(1, handles.size())));
  }

  /** The group's own handle; {@link VersionHandle#INITIAL} when nothing was seen. */
  public VersionHandle ofGroup() {
    return group;
  }

  /** Those of other scopes, at most one each. */
  public List<VersionHandle> ofOtherScopes() {
    return others;
  }

  /**
   * These and one more, of which the higher one of its scope stays. Where there are {@link #MAX_SCOPES}, the scope that
   * was seen longest ago goes: the group's own never does.
   *
   * @return these where they cover it
   */
  public VersionHandles with(VersionHandle handle) {
    if (handle.isOfGroup()) {
      return handle.isAfter(group) ? new VersionHandles(handle, others) : this;
    }
    List<VersionHandle> rest = new ArrayList<>(others.size() + 1);
    for (VersionHandle other : others) {
      if (!other.scope().equals(handle.scope())) {
        rest.add(other);
      } else if (!handle.isAfter(other)) {
        return this;
      }
    }
    rest.add(handle);
    return new VersionHandles(group, List.copyOf(rest.subList(Math.max(0, rest.size() + 1 - MAX_SCOPES), rest.size())));
  }

  /** The higher handle of each scope, of these and the others; bounded as {@link #with} is. */
  public VersionHandles merge(VersionHandles more) {
    VersionHandles merged = with(more.group);
    for (VersionHandle handle : more.others) {
      merged = merged.with(handle);
    }
    return merged;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof VersionHandles handles && group.equals(handles.group) && others.equals(handles.others);
  }

  @Override
  public int hashCode() {
    return 31 * group.hashCode() + others.hashCode();
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(group.toString());
    others.forEach(handle -> text.append('/').append(handle));
    return text.toString();
  }
}
