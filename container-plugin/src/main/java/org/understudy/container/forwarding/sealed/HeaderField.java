package org.understudy.container.forwarding.sealed;

/** One field of the header of a client's HTTP request. A name may occur in several fields. */
public record HeaderField(String name, String value) {}
