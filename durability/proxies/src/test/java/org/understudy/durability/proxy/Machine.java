package org.understudy.durability.proxy;

/** What machines advertise. */
record Machine(String id, int memory) {}
