/** The transfer mode {@code socket}: framed TCP between replicas. */
package org.understudy.replication.runtime.socket;
