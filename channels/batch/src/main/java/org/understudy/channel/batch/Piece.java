package org.understudy.channel.batch;

import java.nio.ByteBuffer;

/**
 * A part of a batch of encoded messages, or all of it.
 *
 * @param number counts the pieces of one sender in one view, from 1
 * @param batch counts the batches of one sender in its life, from 1; sent again, a batch keeps its number
 * @param last whether the batch ends with it
 */
public record Piece(long number, long batch, boolean last, ByteBuffer content) {}
