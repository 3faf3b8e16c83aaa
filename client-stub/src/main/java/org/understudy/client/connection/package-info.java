/** HTTP to replicas: pooled connections that never retry, redirect or authenticate by themselves. Not API. */
package org.understudy.client.connection;
