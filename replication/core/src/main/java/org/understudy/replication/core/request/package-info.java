/** Requests, what identifies them, and their outcomes. */
package org.understudy.replication.core.request;
